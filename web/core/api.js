// Commands to the table and questions to the station. An error is a sentence, shown where the person looks.

import { t } from "./words.js";

// Its message is in the reader's language.
export class Refused extends Error {
  constructor(status, code, message) { super(message); this.status = status; this.code = code; }
}

export async function post(path, body, method = "POST") {
  let answer;
  try {
    answer = await fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refused(0, "line/cut", t("page/line/not_done"));
  }
  const type = answer.headers.get("content-type") || "";
  const data = type.includes("json") ? await answer.json() : {};
  if (!answer.ok) throw new Refused(answer.status, data.error?.code || "request/failed", data.error?.message || t("page/line/failed"));
  return data;
}

export const get = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Refused(answer.status, "request/failed", t("page/line/failed"));
  return answer.json();
};
