// Chooses the scorekeeper, or passes the role on.

import { button, failure, h, NAME_MAX } from "./dom.js";
import { t } from "./words.js";
import { changeRoom, faultOf, inOrder } from "./api.js";
import { choices, field } from "./choices.js";
import * as dialogs from "./dialogs.js";
import { say } from "./refusal.js";

/** @param {TablePage} page @param {() => void} redraw */
export function open(page, redraw) {
  let fault = "";
  /** @param {() => boolean} draw @param {() => void} close */
  const content = (draw, close) => {
    /** @param {string} path @param {object} body */
    const change = (path, body) => changeRoom(page, path, body);
    /** @param {() => Promise<void>} act */
    const attempt = async (act) => {
      fault = await faultOf(() => inOrder(act));
      if (!fault) close();
      else if (!draw()) say(fault);
      redraw();
    };
    /** @param {string | null} name */
    const pass = (name) => attempt(() => change("scorekeeper", { name }));
    // The new scorekeeper's screen announces, unless another does already. On refusal the former seat is restored.
    /** @param {string} name */
    const take = (name) =>
      attempt(async () => {
        const before = page.you?.seat ?? null;
        if (before !== name) await change("seat", { name });
        try {
          await change("scorekeeper", { name });
        } catch (error) {
          if (before !== name) await change("seat", { name: before });
          throw error;
        }
        if (!page.room.voice) await change("voice", { on: true });
      });
    const { scorekeeper } = page.room;
    const seat = page.you?.seat;
    const seats = (page.room.seats || []).filter((name) => name !== seat || name === scorekeeper);
    return [
      h("p.aside", t("page/scorekeeper/how")),
      failure(fault),
      choices(
        "scorekeeper",
        t("page/scorekeeper/title"),
        scorekeeper || "",
        [["", t("page/scorekeeper/nobody")], ...seats.map((name) => /** @type {Labelled} */ ([name, name]))],
        (name) => pass(name || null),
      ),
      seat
        ? scorekeeper !== seat && button("first wide", t("page/scorekeeper/take"), () => take(seat))
        : h(
            "form.stack",
            {
              onsubmit: (event) => {
                event.preventDefault();
                const name = String(new FormData(event.currentTarget).get("scorekeeper-name")).trim();
                if (name) take(name);
              },
            },
            field("scorekeeper-name", t("page/common/name"), { maxlength: NAME_MAX, autocomplete: "given-name", required: true }),
            h("button.first", { type: "submit" }, t("page/scorekeeper/take")),
          ),
    ];
  };
  dialogs.open(t("page/scorekeeper/title"), content, "", true);
}
