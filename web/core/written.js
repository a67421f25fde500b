// A phone that slept still shows what the station wrote into a page when it was opened. Other pages have a live line, or
// hold what somebody is writing.

import { fetched } from "./fetched.js";

const OLD_MS = 60000;
const held = /^\/(join|history\/player)/.test(location.pathname);
let left_ms = Date.now();

document.addEventListener("visibilitychange", () => {
  if (document.hidden) left_ms = Date.now();
  else if (!held && Date.now() - left_ms > OLD_MS) fetched(location.href, { method: "HEAD" }).then(() => location.reload(), stay);
});

const stay = () => {}; // without the station there is nothing newer
