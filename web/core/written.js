// Reloads a server-rendered page on a phone that has slept. Other pages have a live line, or contain input.

import { fetched } from "./fetched.js";

const OLD_MS = 60000;
const held = /^\/(join|history\/player)/.test(location.pathname);
let left_ms = Date.now();

document.addEventListener("visibilitychange", () => {
  if (document.hidden) left_ms = Date.now();
  else if (!held && Date.now() - left_ms > OLD_MS) fetched(location.href, { method: "HEAD" }).then(() => location.reload(), stay);
});

const stay = () => {}; // no station, nothing newer
