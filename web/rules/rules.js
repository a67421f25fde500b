// The editor of house rules: a mistake is shown with its line while one types.

import { button, byId, h, links, paint } from "./dom.js";
import { t } from "./words.js";
import { get, post, failureOf } from "./api.js";
import { choices, field, list } from "./choices.js";
import { loaded } from "./loaded.js";
import * as dialogs from "./dialogs.js";

/** @typedef {Api.RulesShape} Rules */

/**
 * title: as typed, until the text contains it. parsed: what the station read from the text.
 * @type {{ list: Rules[], text: string, from: string, title: string | null, parsed: Api.SwitchedRules | null, fault: string, saved: string }}
 */
const page = { list: [], text: "", from: "", title: null, parsed: null, fault: "", saved: "", ...history.state };
let timer = 0;

async function refresh() {
  page.list = (await get("/api/v1/rules")).rules;
  draw();
}

let before = Promise.resolve();

/** One after the other, each on the text left by the one before. @param {() => Promise<void>} act */
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
    await parse({});
  });
}

/** @typedef {{ key?: string, value?: string, title?: string }} Change */

/** @param {Change} change */
async function parse(change) {
  page.saved = ""; // the text may differ from the saved one
  let { text } = page;
  try {
    let answer = await post("/api/v1/rules/switches", { text, ...change });
    while (page.text !== text) {
      ({ text } = page); // the text was edited meanwhile: the change applies to the newer text
      answer = await post("/api/v1/rules/switches", { text, ...change });
    }
    if (change.title === page.title) page.title = null; // else it was edited meanwhile
    Object.assign(page, { parsed: answer, text: answer.text || text, fault: "" });
  } catch (error) {
    if (!change.key && !change.title) Object.assign(page, { parsed: null, title: null });
    throw error;
  }
}

/** Sends the text to the station, with a changed switch or title. @param {Change} [change] */
const check = (change = {}) => inTurn(() => parse(change));

const save = () =>
  inTurn(async () => {
    clearTimeout(timer);
    await parse({});
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

/** The switches for rules that families disagree about, each with an example. @param {Api.SwitchedRules} rules */
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

/** Keeps unsaved text over a reload, a change of language and the back button. */
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
            { key: "yours" }, // keyed, so that the text below stays open when this section appears
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
        page.parsed ? switches(page.parsed) : null,
        h(
          "div",
          { key: "verdict", id: "verdict", role: "status" },
          page.fault
            ? h("p.fault", page.fault)
            : page.saved
              ? h("p.good", t("page/rules/saved", { title: page.saved }))
              : page.parsed
                ? [
                    h("p.good", t("page/rules/works")),
                    h(
                      "ul.lines",
                      page.parsed.lines.map((line, index) => h("li", { key: index }, line)),
                    ),
                  ]
                : null,
        ),
        links(button("first", t("page/rules/save"), save, { disabled: !page.parsed })),
        h(
          "details.more",
          { key: "as-text" }, // keyed, so that it stays open while a mistake hides the switches above
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
loaded(refresh).then(() => begun && check());
