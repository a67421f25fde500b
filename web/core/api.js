// Requests to the station. An error has a sentence, to be shown where the person looks.

import { fetched } from "./fetched.js";
import { t } from "./words.js";

// A refusal by the station: a message in the reader's language, and the values in it.
export class Refused extends Error {
  /** @param {string} code @param {string} message @param {Failure["values"]} values */
  constructor(code, message, values = {}) {
    super(message);
    this.code = code;
    this.values = values;
  }
}

/** @param {unknown} error: as it was caught @returns {Failure} */
export const failureOf = (error) => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Refused ? error.code : "",
  values: error instanceof Refused ? error.values : {},
});

/** The message of the error; "" for success. @param {() => Promise<unknown>} act */
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
    const late = error instanceof DOMException; // a timeout: the station may have received it
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
 * Sends this screen's changes one after the other, in the order of the taps.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
export function inOrder(act) {
  const mine = before.then(act);
  before = mine.catch(() => {}); // the caller gets the error
  return mine;
}

/** Changes a setting of the room, and updates the page with the response. @param {TablePage} page @param {string} path @param {object} body */
export async function changeRoom(page, path, body) {
  const room = await post(`/api/v1/room/${path}`, body);
  page.room = { ...page.room, ...room };
  page.you = room.you;
}
