// Commands to the table and questions to the station. An error is a sentence, shown where the person looks.

import { fetched } from "./fetched.js";
import { t } from "./words.js";

// Its message is in the reader's language; `values` is what stands in it.
export class Refused extends Error {
  /** @param {string} code @param {string} message @param {Failure["values"]} values */
  constructor(code, message, values = {}) {
    super(message);
    this.code = code;
    this.values = values;
  }
}

/** A caught error as a message, a code, and the values in it. @param {unknown} error @returns {Failure} */
export const failureOf = (error) => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Refused ? error.code : "",
  values: error instanceof Refused ? error.values : {},
});

/** What went wrong, in words; "" where nothing did. @param {() => Promise<unknown>} act */
export const faultOf = (act) =>
  act().then(
    () => "",
    (error) => failureOf(error).message,
  );

/** @param {string} path @param {RequestOptions} request */
export async function ask(path, request) {
  let answer;
  let data;
  try {
    answer = await fetched(path, request);
    data = (answer.headers.get("content-type") || "").includes("json") ? await answer.json() : {};
  } catch (error) {
    const late = error instanceof DOMException; // the station may have heard of it
    throw new Refused("line/cut", t(!request.method ? "page/line/cut" : late ? "page/line/unanswered" : "page/line/not_done"));
  }
  if (!answer.ok) throw new Refused(data.error?.code || "request/failed", data.error?.message || t("page/line/failed"), data.error?.values);
  return data;
}

/** @param {string} path @param {object} body @param {RequestOptions} more */
export const post = (path, body, more = {}) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...more });

/** @param {string} path */
export const get = (path) => ask(path, {});

/** @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * What this screen changes reaches the station in the order it was tapped, also on a slow line.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
export function inOrder(act) {
  const mine = before.then(act);
  before = mine.catch(() => {}); // who asked is told
  return mine;
}

/** Change what is shared besides the game, and know it at once. @param {TablePage} page @param {string} path @param {object} body */
export async function changeRoom(page, path, body) {
  const room = await post(`/api/v1/room/${path}`, body);
  page.room = { ...page.room, ...room };
  page.you = room.you;
}
