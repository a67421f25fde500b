// Whether the oldest browsers that are promised (docs/decisions/no-node.md) know what scripts and style sheets of the
// pages use, by the table of features of MDN. `make check` runs it: node tests/web/older_browsers.mjs [folder]

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { parse } from "acorn";
import * as css from "css-tree";
import ts from "typescript";

const OLDEST = { chrome: "80", safari: "14", safari_ios: "14" };
const SYNTAX = 2020; // of ECMAScript: the last that Chromium 80 and Safari 14 know whole

/** What may be missing, since without it a page is less fine and no less usable. The reason stands beside it. */
const HARMLESS = new Map(
  Object.entries({
    "@container": "long names are cut where they would be smaller or upright",
    "@media forced-colors": "such a browser has no forced colours",
    "@property": "only keeps boxes from being restyled",
    ":backdrop": "older.js lays a ground of its own",
    ":file-selector-button": "the browser's own button",
    ":focus-visible": "the browser's own ring",
    ":has": "its rules refine what stands without them",
    "accent-color": "ticks have the browser's colour",
    "align-content: end": "of a grid, where it is older than of boxes",
    "align-content: start": "of a grid, where it is older than of boxes",
    "aspect-ratio": "the picture or the drawing inside gives the height, or a smallest height stands beside it",
    "color-scheme": "scroll bars stay light",
    contain: "only spares the browser work",
    "container-type": "for @container and cqw",
    cqw: "long names are cut where they would be smaller",
    cursor: "fingers have none",
    "forced-color-adjust": "such a browser has no forced colours",
    "gap in flex": "older.js puts margins there",
    outline: "only its corners are not round",
    "overscroll-behavior": "the page behind may scroll on",
    "overscroll-behavior-x": "the page behind may scroll on",
    "paint-order": "partial for text of HTML alone",
    resize: "fields grow by no finger",
    scale: "a shadow is smaller",
    "scroll-behavior": "off already",
    "scroll-padding-bottom": "what is focused may lie under a bar",
    "scroll-padding-top": "what is focused may lie under a bar",
    "scrollbar-color": "the browser's own bar",
    "text-decoration-thickness": "a thicker line",
    "text-underline-offset": "a nearer line",
    "text-wrap": "lines of other length",
    "text-wrap-style": "lines of other length",
    AudioContext: "sounds.js takes the prefixed one",
    BroadcastChannel: "asked for first",
    "BroadcastChannel.postMessage": "asked for first",
    "new BroadcastChannel": "asked for first",
    "CanvasRenderingContext2D.filter": "the map of light is not smoothed",
    "HTMLCanvasElement.getContext({willReadFrequently})": "slower only",
    HTMLDialogElement: "asked for first",
    "HTMLDialogElement.close": "older.js",
    "HTMLDialogElement.open": "older.js",
    "HTMLDialogElement.showModal": "older.js",
    "HTMLElement.focus({preventScroll})": "the page scrolls to it",
    "HTMLElement.inert": "of what is shown to nobody, and gone at once",
    "HTMLMediaElement.srcObject": "partial for other sources than a stream",
    "Navigator.canShare": "asked for first",
    "Navigator.canShare({files})": "asked for first",
    "Navigator.share": "canShare is asked for first",
    "Navigator.share({files})": "canShare is asked for first",
    "Navigator.userActivation": "asked for first",
    "Navigator.vibrate": "asked for first",
    "Navigator.wakeLock": "asked for first",
    "UserActivation.hasBeenActive": "asked for first",
    "WakeLock.request": "navigator.wakeLock is asked for first",
    "WakeLockSentinel.release": "navigator.wakeLock is asked for first",
    "WakeLockSentinel.released": "navigator.wakeLock is asked for first",
    "Window.requestIdleCallback": "asked for first",
    "new URL": "partial for a base that is undefined",
  }),
);
const used = new Set();

const known = createRequire(import.meta.url)("@mdn/browser-compat-data");
const root = resolve(process.argv[2] || ".");
/** Where each is that is not known. */
const faults = new Map();

const parts = (version) => version.replace("≤", "").split(".").map(Number);
/** Whether a version is no later than another. */
const by = (since, until) => {
  const [[a, b = 0], [c, d = 0]] = [parts(since), parts(until)];
  return a < c || (a === c && b <= d);
};

const plain = (
  { version_added: since, version_removed: end, flags, prefix, alternative_name: other, partial_implementation: part },
  oldest,
) =>
  typeof since === "string" &&
  since !== "preview" &&
  !flags &&
  !prefix &&
  !other &&
  !part &&
  by(since, oldest) &&
  !(end && by(end, oldest));

/** Note what the table says that an oldest browser does not know; whether the table has it at all. */
function look(entry, name, where, general = name) {
  if (!entry?.__compat) return false;
  const without = Object.entries(OLDEST).filter(
    ([browser, oldest]) => ![entry.__compat.support[browser]].flat().some((each) => each && plain(each, oldest)),
  );
  if (!without.length) return true;
  const excused = [name, general].find((each) => HARMLESS.has(each));
  if (excused) used.add(excused);
  else note(`${name} is not known to ${without.map((each) => each.join(" ")).join(", ")}`, where);
  return true;
}

const note = (what, where) => faults.set(what, [...(faults.get(what) || []), where]);

const files = ["web", "board", "station/features"].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true }).map((name) => join(root, room, name)),
);

// --- how scripts are written -------------------------------------------------------------------------------------

for (const file of files.filter((name) => name.endsWith(".js"))) {
  const text = readFileSync(file, "utf8");
  try {
    parse(text, { ecmaVersion: SYNTAX, sourceType: "module", onToken: (token) => lookbehind(token, file) });
  } catch (error) {
    note(`newer than ECMAScript ${SYNTAX}: ${error.message}`, relative(root, file));
  }
}

function lookbehind({ type, value }, file) {
  if (type.label === "regexp" && /\(\?<[=!]/.test(value.pattern))
    look(known.javascript.regular_expressions.lookbehind_assertion, `/${value.pattern}/`, relative(root, file));
}

// --- what scripts call -------------------------------------------------------------------------------------------

const config = ts.parseJsonConfigFileContent(ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config, ts.sys, root);
// With all there is, so that what is new is found here by its name and its age.
const program = ts.createProgram(config.fileNames, {
  ...config.options,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
});
const checker = program.getTypeChecker();

/** An entry of the table for a member of an interface as TypeScript has it. */
function member(owner, name) {
  for (const each of [owner, owner.replace(/Constructor$/, ""), owner.replace(/^Readonly/, "")]) {
    const { api, javascript } = known;
    const found = api[each]?.[name] || javascript.builtins[each]?.[name] || javascript.builtins.Intl[each]?.[name];
    if (found?.__compat) return found;
  }
  return undefined;
}

/** Names of the types a value may have, and of those they extend. */
function owners(type, names = new Set()) {
  for (const each of type.isUnionOrIntersection() ? type.types : [type, checker.getApparentType(type)]) {
    const name = each.getSymbol()?.name;
    if (each !== type) owners(each, names);
    if (!name || names.has(name)) continue;
    names.add(name);
    for (const base of each.getBaseTypes?.() || []) owners(base, names);
  }
  return names;
}

/** A name that comes from the browser. */
function called(node, where) {
  const symbol = checker.getSymbolAtLocation(node);
  const from = symbol?.declarations?.find((each) => program.isSourceFileDefaultLibrary(each.getSourceFile()));
  if (!from) return;
  const { parent } = node;
  const of = from.parent?.name?.text;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const names = [...(of ? [of] : []), ...owners(checker.getTypeAtLocation(parent.expression))];
    const owner = names.find((each) => member(each, symbol.name));
    if (owner) look(member(owner, symbol.name), `${owner}.${symbol.name}`, where);
    if (owner || of) return;
  }
  const { api, javascript } = known;
  const own = [api[symbol.name], javascript.builtins[symbol.name], api.Window[symbol.name], javascript.functions[symbol.name]];
  look(own.find((each) => each?.__compat) || member(of || "", symbol.name), symbol.name, where);
}

/** Entries for a named option, as `options_signal_parameter`. */
const options = (entry, name) =>
  Object.entries(entry).flatMap(([key, value]) =>
    key === "__compat" ? [] : [...(new RegExp(`(^|_)${name}(_parameter)?$`).test(key) ? [value] : []), ...options(value, name)],
  );

/** Options a method is called with. */
function optioned(node, where) {
  const method = node.expression.name.text;
  const owner = [...owners(checker.getTypeAtLocation(node.expression.expression))].find((each) => member(each, method));
  if (!owner) return;
  for (const { name } of node.arguments.filter(ts.isObjectLiteralExpression).flatMap(({ properties }) => properties))
    for (const entry of name?.text ? options(member(owner, method), name.text) : [])
      look(entry, `${owner}.${method}({${name.text}})`, where);
}

for (const source of program.getSourceFiles().filter(({ fileName }) => config.fileNames.includes(fileName) && fileName.endsWith(".js"))) {
  const visit = (node) => {
    const where = () => `${relative(root, source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isIdentifier(node)) called(node, where());
    if (ts.isNewExpression(node)) look(known.api[node.expression.text]?.[node.expression.text], `new ${node.expression.text}`, where());
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) optioned(node, where());
    ts.forEachChild(node, visit);
  };
  visit(source);
}

// --- style sheets ------------------------------------------------------------------------------------------------

const { properties, selectors, types, "at-rules": atRules } = known.css;
const TYPES = [
  types,
  types.color,
  types.image,
  types.gradient,
  types["basic-shape"],
  types["easing-function"],
  types["transform-function"],
];
const UNITS = [
  [/^[dsl]v/, types.length.viewport_percentage_units_dynamic],
  [/^cq/, types.length.container_query_length_units],
];

/** Words, functions and units of a value. */
function valued({ property, value }, where) {
  css.walk(value, (part) => {
    const words = `${property}: ${part.name}`;
    if (part.type === "Identifier") look(properties[property]?.[part.name], words, where, property);
    if (part.type === "Function") for (const each of TYPES) look(each?.[part.name], `${part.name}()`, where);
    if (part.type === "Dimension") for (const [unit, entry] of UNITS) if (unit.test(part.unit)) look(entry, part.unit, where);
  });
}

const isFlexible = (block) => block.children.some((each) => each.property === "display" && /flex$/.test(css.generate(each.value)));

/** A declaration. One that an older browser leaves out does no harm below another that it takes. */
function declared(node, block, where) {
  const { property } = node;
  const same = block.children.toArray().filter((each) => each.type === "Declaration");
  const before = same.slice(0, same.indexOf(node));
  if (property.startsWith("-") || before.some((each) => each.property === property || each.property === `-webkit-${property}`)) return;
  if (!look(properties[property], property, where)) note(`the table has no ${property}`, where);
  valued(node, where);
  if (/gap$/.test(property) && isFlexible(block)) look(properties[property].flex_context, `${property} in flex`, where, "gap in flex");
}

/** Of one unknown selector in a list the whole rule is left out. */
function selected(list, where) {
  const news = list.children.toArray().map((selector) => {
    const found = new Set();
    css.walk(selector, (part) => {
      const entry = /^Pseudo(Class|Element)Selector$/.test(part.type) && selectors[part.name];
      if (entry && !look(entry, `:${part.name}`, where)) note(`the table has no :${part.name}`, where);
      if (HARMLESS.has(`:${part.name}`)) found.add(part.name);
      if (part.name === "not" && part.children.first.children.size > 1) look(selectors.not.selector_list, ":not() of several", where);
    });
    return [...found].sort().join();
  });
  if (new Set(news).size > 1) note(`:${news.join(" :")} in one list with selectors that older browsers know`, where);
}

for (const file of files.filter((name) => name.endsWith(".css"))) {
  css.walk(css.parse(readFileSync(file, "utf8"), { positions: true }), function visit(node) {
    const where = `${relative(root, file)}:${node.loc?.start.line}`;
    if (node.type === "Atrule") look(atRules[node.name], `@${node.name}`, where);
    if (node.type === "Feature") look(atRules.media[node.name], `@media ${node.name}`, where);
    if (node.type === "Rule" && this.rule) note("a rule inside a rule", where);
    if (node.type === "Rule" && node.prelude.type === "SelectorList" && !/keyframes$/.test(this.atrule?.name || ""))
      selected(node.prelude, where);
    if (node.type === "Declaration" && this.rule) declared(node, this.block, where);
  });
}

for (const each of HARMLESS.keys()) if (!used.has(each)) note(`${each} is excused, and nothing needs that`, "tests/web/older_browsers.mjs");
for (const [what, places] of faults) console.log(`${what}: ${[...new Set(places)].join(" ")}`);
process.exitCode = faults.size ? 1 : 0;
