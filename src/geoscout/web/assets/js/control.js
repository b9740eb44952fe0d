// Control of crawls: the key that `geoscout serve` printed, and what is sent with it.

import { ask, send as post } from "./api.js";

const STORED = "geoscout-key";
let key = stored();

/** Take the key out of the address, where it would be seen and shared; the page keeps it. */
export function takeKey() {
  const found = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!found) return;
  key = found;
  try {
    localStorage.setItem(STORED, found); // of this host and port only, unlike a cookie
  } catch {
    // Without storage the key lasts as long as this page.
  }
  history.replaceState(history.state, "", location.pathname + location.search);
}

function stored() {
  try {
    return localStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}

/** What may be controlled, and what is asked of a crawl; `crawl` may be empty. */
export function askControl(crawl = "") {
  return ask("control", { crawl }, undefined, fields());
}

/** POST /api/control/PATH. */
export function send(path, body, signal = undefined) {
  return post(`control/${path}`, body, signal, fields());
}

function fields() {
  return key ? { "x-geoscout-key": key } : {};
}
