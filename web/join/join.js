// Choose your name; the screen is then yours. A late guest also joins the game here.

import { button, byId, failure, h, links, NAME_MAX, paint } from "./dom.js";
import { badge } from "./badge.js";
import { field } from "./choices.js";
import { fitted } from "./fitted.js";
import { t } from "./words.js";
import { identity, Link } from "./link.js";
import { loaded } from "./loaded.js";
import { faultOf, get, inOrder, post } from "./api.js";

/** @typedef {{ state: State, room: Room, you: Api.You | null, fault: string }} Page: the first three once `begin` has them. */
const page = /** @type {Page} */ ({ fault: "" });

/** One request after the other, also after a double tap on a slow connection. @param {() => Promise<void>} act */
async function attempt(act) {
  page.fault = await faultOf(() => inOrder(act));
  draw();
}

/** @param {string | null} name */
const take = async (name) => {
  page.room = await post("/api/v1/room/seat", { name });
  page.you = page.room.you;
};

/** The names at the table. */
const here = () => page.state.players.filter((player) => !player.gone).map((player) => player.name);

// A phone that wakes may be tapped before it is connected again: the player may have left or have another name by then.
/** @param {string | null} name */
const sit = (name) =>
  attempt(async () => {
    if (name) page.state = await get("/api/v1/state");
    if (name && !here().includes(name)) throw new Error(t("page/join/left", { name }));
    await take(name);
    if (name) location.href = "/";
  });

// The seat comes first: where each screen plays only for its own seat, it may add only that player to the game.
/** @param {string} name */
const join = (name) =>
  attempt(async () => {
    const seat = page.you?.seat ?? null;
    page.state = await get("/api/v1/state");
    await take(name);
    try {
      if (!page.state.players.some((player) => player.name === name && !player.gone))
        await post("/api/v1/commands", { command: "add_player", name });
    } catch (error) {
      await take(seat);
      throw error;
    }
    location.href = "/";
  });

function draw() {
  const names = here();
  const taken = names.map((name) => name.toLowerCase());
  const others = page.room.known.filter((name) => !taken.includes(name.toLowerCase())).slice(0, 12);
  const seat = page.you?.seat;
  /** @param {string} name @param {(name: string) => void} act */
  const seatButton = (name, act) =>
    h(
      "button",
      { key: name, "aria-pressed": seat === name ? "true" : "false", translate: "no", onclick: () => act(name) },
      fitted(name, { own: true, before: badge(page.room, name) }),
    );
  paint(byId("join"), [
    h(
      "div.wizard",
      failure(page.fault),
      names.length
        ? h(
            "section.card",
            { key: "here" },
            h("h2", t("page/common/at_table")),
            h(
              "div.pick",
              names.map((name) => seatButton(name, sit)),
            ),
          )
        : null,
      page.state.commands.includes("add_player")
        ? h(
            "section.card",
            h("h2", t("page/join/new")),
            others.length
              ? h(
                  "div.pick",
                  { key: "known" },
                  others.map((name) => seatButton(name, join)),
                )
              : null,
            h(
              "form.stack",
              {
                onsubmit: (event) => {
                  event.preventDefault();
                  const name = /** @type {HTMLInputElement} */ (byId("new-name")).value.trim();
                  if (name) join(name);
                },
              },
              field("new-name", t("page/common/name"), { maxlength: NAME_MAX, autocomplete: "given-name", required: true }),
              h("button.first", { type: "submit" }, t("page/common/join")),
            ),
          )
        : null,
      links(
        seat ? button("quiet", t("page/join/leave"), () => sit(null)) : null,
        h("a.second.button", { href: "/" }, t("page/join/only_look")),
      ),
    ),
  ]);
}

async function begin() {
  const [state, room] = await loaded(() => Promise.all([get("/api/v1/state"), get("/api/v1/room")]));
  Object.assign(page, { state, room, you: room.you });
  draw();
  // The list of people stays current while the page is open.
  const look = identity(page, draw);
  new Link(
    "/api/v1/events",
    {
      state: (/** @type {State} */ state) => {
        page.state = state;
        draw();
      },
      room: (/** @type {PublicRoom} */ now) => {
        Object.assign(page.room, now);
        look();
      },
    },
    () => {},
  );
}

begin();
