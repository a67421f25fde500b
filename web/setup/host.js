// The host's part of the setup page: becoming host at the table, the PIN, who may play, all screens.

import { button, failure, h, links } from "./dom.js";
import { t } from "./words.js";
import { ask, faultOf, get, inOrder, post } from "./api.js";
import { choices, field, list } from "./choices.js";
import { Link } from "./link.js";
import { picture } from "./step_pictures.js";

const LOOK_MS = 1000;
/** @type {EachOf<Api.Role>} */
const ROLES = ["viewer", "player", "scorekeeper", "host"];

/** @typedef {{ room: Room, screens: Api.Session[] }} HostPage */

/** Ends the first setup. */
export async function toTable() {
  await faultOf(() => post("/api/v1/room/set-up", {})); // refused where somebody else is host, who has finished the setup before
  location.href = "/";
}

/** The choice of how a roll is confirmed, in pictures. @param {Room} room @param {(on: boolean) => void} change */
export const howRollsCount = (room, change) =>
  choices(
    "confirm",
    t("page/setup/counts"),
    room.next_confirms ? "unsure" : "each",
    [
      ["each", [picture("each"), h("b", t("page/setup/counts_each")), h("small", t("page/setup/taps", { count: 3 }))]],
      ["unsure", [picture("unsure"), h("b", t("page/setup/counts_next")), h("small", t("page/setup/taps", { count: 1 }))]],
    ],
    (value) => change(value === "unsure"),
  );

/** @param {HostPage} page @param {() => void} draw */
export function hostCard(page, draw) {
  let looking = 0;
  let fault = ""; // of the last tap: a look does not clear it
  let away = ""; // of the last look
  /** @type {Api.Addition[]} */
  let added = [];

  /** @param {() => Promise<void>} act */
  async function attempt(act) {
    fault = await faultOf(() => inOrder(act));
    draw();
  }

  /** @param {string} path @param {object} body */
  const change = (path, body) => changes([path, body]);

  /** @param {[string, object][]} steps: sent together, before any later tap */
  const changes = (...steps) =>
    attempt(async () => {
      for (const [path, body] of steps) page.room = await post(`/api/v1/room/${path}`, body);
      await afterwards(lookAgain);
    });

  /** Refreshes the page after a successful change; a failure of this is no failure of the change, and is tried again. @param {() => Promise<void>} act */
  const afterwards = (act) =>
    act().catch(() => {
      clearTimeout(looking);
      looking = window.setTimeout(look, LOOK_MS);
    });

  /** @param {string} id @param {string} method @param {object} [body] */
  const screen = (id, method, body) =>
    attempt(async () => {
      const path = `/api/v1/room/screens/${id}`;
      const answer = body ? await post(`${path}/role`, body) : await ask(path, { method });
      page.screens = answer.screens;
      await afterwards(async () => {
        page.room = await get("/api/v1/room");
      });
    });

  async function lookAgain() {
    clearTimeout(looking);
    if (page.room.you.asking) looking = window.setTimeout(look, LOOK_MS);
    if (!page.room.you.host) return;
    page.screens = (await get("/api/v1/room/screens")).screens;
    added = (await get("/api/v1/room/added")).added;
  }

  // While this screen requests to be host, somebody at the table may confirm it at any moment. Changes by other screens come
  // by the live line.
  async function look() {
    const looked = inOrder(async () => {
      const { asking } = page.room.you;
      page.room = await get("/api/v1/room");
      const { you } = page.room;
      if (asking && !you.asking) fault = you.host ? "" : t("page/setup/ask_over");
      await lookAgain();
    });
    away = await faultOf(() => looked);
    if (away) looking = window.setTimeout(look, LOOK_MS);
    draw();
  }

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event @param {string} name */
  const entered = (event, name) => {
    event.preventDefault();
    return new FormData(event.currentTarget).get(name);
  };

  /** @param {string} label */
  const pinField = (label) => field("pin", label, { type: "password", inputmode: "numeric", pattern: "[0-9]{4,8}", maxlength: 8 });

  function becoming() {
    const { you, asking, pin } = page.room;
    if (!you.asking)
      return [
        links(button("first", t("page/setup/become_host"), () => change("ask", { on: true }))),
        pin
          ? h(
              "form.stack",
              { key: "host", onsubmit: (event) => change("host", { pin: entered(event, "pin") }) },
              pinField(t("page/setup/pin")),
              h("button.second", { type: "submit" }, t("page/setup/am_host")),
            )
          : null,
      ];
    return [
      you.button ? h("p.lead", { role: "status" }, t("page/setup/hold")) : null,
      asking > 1 ? h("p.fault", t("page/setup/several_ask")) : null,
      h("p", you.button ? t("page/setup/number_where") : t("page/setup/number_only")),
      h(
        "form.stack",
        { key: "number", onsubmit: (event) => change("number", { number: entered(event, "number") }) },
        field("number", t("page/setup/number"), { inputmode: "numeric", maxlength: 12, required: true }),
        h("button.first", { type: "submit" }, t("page/setup/become_host")),
      ),
      links(button("quiet", t("page/setup/ask_no_more"), () => change("ask", { on: false }))),
    ];
  }

  // Two switches of the station, one choice for people.
  function whoPlays() {
    const { roles, only_seated: seated } = page.room;
    return choices(
      "who-plays",
      t("page/setup/who_plays"),
      roles ? "roles" : seated ? "seated" : "all",
      [
        ["all", t("page/setup/all_play")],
        ["seated", t("page/setup/only_seated")],
        ["roles", t("page/setup/own_seats")],
      ],
      (value) => changes(["only-seated", { on: value === "seated" }], ["roles", { on: value === "roles" }]),
    );
  }

  /** @param {Api.Session} one */
  function row(one) {
    const where = [one.device, one.address].filter(Boolean).join(", ") || t("page/setup/somewhere");
    const name = one.seat || t("page/setup/nobody");
    return h(
      "li.screen",
      { key: one.id },
      h("b", { translate: one.seat ? "no" : null }, name),
      h("span.aside", one.you ? `${t("page/setup/this_screen")}, ${where}` : where),
      h("label.vh", { for: `role-${one.id}` }, `${t("page/setup/role")} ${t("page/setup/end_session_of", { name })}`),
      list(
        { id: `role-${one.id}` },
        one.role,
        ROLES.map((role) => [role, t(`page/role/${role}`)]),
        (role) => screen(one.id, "POST", { role }),
      ),
      button("second", [t("page/setup/end_session"), h("span.vh", ` ${t("page/setup/end_session_of", { name })}`)], () =>
        screen(one.id, "DELETE"),
      ),
    );
  }

  /** @param {Api.Addition} one */
  function thing({ kind, id, address }) {
    const what = [t(`page/added/${kind}`), address].filter(Boolean).join(", ");
    return h(
      "li.screen",
      { key: `${kind} ${id}` },
      h("b", { translate: "no" }, id),
      h("span.aside", what),
      button("second", [t("page/added/take_away"), h("span.vh", ` ${what} ${id}`)], () =>
        attempt(async () => {
          added = (await post("/api/v1/room/added/remove", { kind, id })).added;
        }),
      ),
    );
  }

  function hosting() {
    const { pin, seats } = page.room;
    return [
      h("p.lead", { role: "status" }, t("page/setup/you_host")),
      whoPlays(),
      howRollsCount(page.room, (on) => change("next-confirms", { on })),
      h(
        "form.stack",
        { onsubmit: (event) => change("pin", { pin: entered(event, "pin") || null }) },
        pinField(pin ? t("page/setup/another_pin") : t("page/setup/new_pin")),
        h("button.second", { type: "submit" }, pin ? t("page/setup/change_pin") : t("page/setup/protect")),
      ),
      seats.length
        ? h(
            "form.stack",
            { onsubmit: (event) => change("pass", { to: entered(event, "to") }) },
            h("label", { for: "to" }, t("page/setup/pass_to")),
            h(
              "select",
              { id: "to", name: "to" },
              seats.map((name) => h("option", { key: name, value: name }, name)),
            ),
            h("button.second", { type: "submit" }, t("page/setup/pass")),
          )
        : null,
      h("h3", t("page/setup/screens")),
      h("ul.screens", page.screens.map(row)),
      h(
        "details.more",
        { key: "added" },
        h("summary", t("page/added/title")),
        added.length ? h("ul.screens", added.map(thing)) : h("p.aside", t("page/added/none")),
      ),
    ];
  }

  attempt(lookAgain);
  new Link("/api/v1/events", { room: look }, () => {});

  return () => {
    const { pin, you, host } = page.room;
    return h(
      "section.card",
      { id: "host" },
      h("h2", t("page/setup/host")),
      h("p.aside", pin ? t("page/setup/protected") : host ? t("page/setup/open") : t("page/setup/no_host")),
      failure(fault || away),
      you.host ? hosting() : becoming(),
    );
  };
}
