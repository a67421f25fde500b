// What a page needs before it can be drawn.

import { Refused } from "./api.js";

const AGAIN_MS = 2000;

/** The result of requests, which are repeated while the line is cut. @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export const loaded = (load) =>
  load().catch(async (error) => {
    if (!(error instanceof Refused) || error.code !== "line/cut") throw error;
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return loaded(load);
  });
