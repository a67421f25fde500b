// Commands to the table and questions to the station. An error is a sentence, shown where the person looks.

import { t } from "./words.js";

// Its message is in the reader's language.
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** What a caught error says, and its code. @param {unknown} error */
export const told = (error) => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Refused ? error.code : "",
});

/** @param {string} path @param {RequestInit} request */
export async function ask(path, request) {
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refused("line/cut", t("page/line/not_done"));
  }
  const json = (answer.headers.get("content-type") || "").includes("json");
  const data = json ? await answer.json() : {};
  if (!answer.ok) throw new Refused(data.error?.code || "request/failed", data.error?.message || t("page/line/failed"));
  return data;
}

/** @param {string} path @param {object} body @param {string} method */
export const post = (path, body, method = "POST") =>
  ask(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** @param {string} path */
export const get = (path) => ask(path, {});
