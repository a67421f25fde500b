// The editor of house rules: what is wrong is said with its line while one types.

import { button, byId, h, links, paint } from "./dom.js";
import { t } from "./words.js";
import { get, post, failureOf } from "./api.js";
import { choices, field, list } from "./choices.js";
import * as dialogs from "./dialogs.js";

/** @typedef {Api.RulesShape} Rules */

/**
 * title: as it is typed, until the text has it.
 * @type {{ list: Rules[], text: string, from: string, title: string | null, told: Api.SwitchedRules | null, fault: string, saved: string }}
 */
const page = { list: [], text: "", from: "", title: null, told: null, fault: "", saved: "", ...history.state };
let timer = 0;

async function refresh() {
  page.list = (await get("/api/v1/rules")).rules;
  draw();
}

let before = Promise.resolve();

/** One after the other, each on the text that the one before it left. @param {() => Promise<void>} act */
function inTurn(act) {
  before = before.then(act).then(
    () => draw(),
    (error) => {
      page.fault = failureOf(error).message;
      draw();
    },
  );
}

/** @type {(rules: Rules) => Labelled} */
const one = ({ id, title }) => [id, title];

/** @param {string} id */
function begin(id) {
  if (!id) return;
  Object.assign(page, { from: id, title: null });
  inTurn(async () => {
    page.text = (await get(`/api/v1/rules/${encodeURIComponent(id)}`)).text;
    await checked({});
  });
}

/** @typedef {{ key?: string, value?: string, title?: string }} Change */

/** @param {Change} change */
async function checked(change) {
  page.saved = ""; // what is checked may be other than what was saved
  let { text } = page;
  try {
    let answer = await post("/api/v1/rules/switches", { text, ...change });
    while (page.text !== text) {
      ({ text } = page); // typed meanwhile: what was typed stays, and is changed
      answer = await post("/api/v1/rules/switches", { text, ...change });
    }
    if (change.title === page.title) page.title = null; // else it was typed on meanwhile
    Object.assign(page, { told: answer, text: answer.text || text, fault: "" });
  } catch (error) {
    if (!change.key && !change.title) Object.assign(page, { told: null, title: null });
    throw error;
  }
}

/** What stands there, changed by a switch or a name. @param {Change} [change] */
const check = (change = {}) => inTurn(() => checked(change));

const save = () =>
  inTurn(async () => {
    clearTimeout(timer); // what was just typed is checked here
    await checked({});
    page.saved = (await post("/api/v1/rules", { text: page.text })).title;
    page.fault = "";
    await refresh();
  });

/** @param {Rules} rules */
const forget = (rules) =>
  inTurn(async () => {
    await post(`/api/v1/rules/${encodeURIComponent(rules.id)}`, {}, { method: "DELETE" });
    await refresh();
  });

/** @param {Entered} event */
function typed(event) {
  page.text = event.currentTarget.value;
  page.saved = "";
  keep();
  clearTimeout(timer);
  timer = window.setTimeout(check, 400, {});
}

/** What families quarrel about, each with an example. @param {Api.SwitchedRules} rules */
const switches = (rules) => [
  field("title", t("page/rules/title"), {
    maxlength: 60,
    value: page.title ?? rules.title,
    oninput: (event) => {
      page.title = event.currentTarget.value;
    },
    onchange: (event) => check({ title: event.currentTarget.value }),
  }),
  h("h2", t("page/rules/how")),
  rules.switches.map((each) =>
    h(
      "div.switched",
      { key: each.key },
      choices(
        each.key,
        each.told,
        each.value,
        each.options.map(({ value, label }) => [value, label]),
        (value) => check({ key: each.key, value }),
      ),
      h("p.aside", { role: "status" }, each.example),
    ),
  ),
];

/** A reload, another language and the way back find what was not saved yet. */
const keep = () => history.replaceState(page.saved ? null : { text: page.text, from: page.from }, "");

function draw() {
  keep();
  const own = page.list.filter((rules) => rules.house);
  paint(byId("rules"), [
    h(
      "div.wizard",
      own.length
        ? h(
            "section.card",
            { key: "yours" }, // the text below stays open, and the cursor in it, when it comes
            h("h2", t("page/rules/yours")),
            h(
              "ul.own-rules",
              own.map((rules) =>
                h(
                  "li",
                  { key: rules.id },
                  h("span", rules.title),
                  button("quiet", [t("page/rules/change"), h("span.vh", ` ${rules.title}`)], () => begin(rules.id)),
                  button("quiet", [t("page/rules/delete"), h("span.vh", ` ${rules.title}`)], () =>
                    dialogs.ask(t("page/rules/delete_sure"), rules.title, t("page/common/delete_for_good"), () => forget(rules)),
                  ),
                ),
              ),
            ),
          )
        : null,
      h(
        "section.card.stack",
        h("label", { for: "from" }, t("page/rules/from")),
        list({ id: "from" }, page.from, [["", t("page/rules/choose")], ...page.list.map(one)], begin),
        page.told ? switches(page.told) : null,
        h(
          "div",
          { key: "verdict", id: "verdict", role: "status" },
          page.fault
            ? h("p.fault", page.fault)
            : page.saved
              ? h("p.good", t("page/rules/saved", { title: page.saved }))
              : page.told
                ? [
                    h("p.good", t("page/rules/works")),
                    h(
                      "ul.lines",
                      page.told.lines.map((line, index) => h("li", { key: index }, line)),
                    ),
                  ]
                : null,
        ),
        links(button("first", t("page/rules/save"), save, { disabled: !page.told })),
        h(
          "details.more",
          { key: "as-text" }, // stays open, and the cursor in it, while a mistake takes the switches above it away
          h("summary", t("page/rules/as_text")),
          h("label", { for: "text" }, t("page/rules/text")),
          h("textarea", {
            id: "text",
            rows: 22,
            spellcheck: "false",
            autocapitalize: "off",
            value: page.text,
            oninput: typed,
            "aria-describedby": "verdict",
          }),
        ),
      ),
    ),
  ]);
}

const begun = Boolean(page.text);
refresh().then(() => begun && check());
