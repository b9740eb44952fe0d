// Why a URL has its priority: the strategy's own reasons as a tree, in a dialog.

import { ask } from "./api.js";
import { foreign, make, replace } from "./dom.js";
import { problemBox } from "./problems.js";

const SHOWN_APART = ["reason", "reasons", "priority_reason", "explanation"];

/** Open the dialog for a URL of a crawl. */
export async function explain(crawl, url) {
  const content = make("div", { class: "reason-tree" }, "Asking…");
  const dialog = make(
    "dialog",
    { "aria-label": "Why this link" },
    make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
    make("h2", {}, "Why this link"),
    make("p", { class: "url" }, foreign(url, 300)),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  try {
    replace(content, anything(await ask("explain", { crawl, url })));
  } catch (error) {
    replace(content, problemBox(error));
  }
}

/** Any JSON value as nested lists; reasons with a name and a value on one line. */
function anything(value) {
  if (Array.isArray(value)) return make("ul", {}, value.slice(0, 100).map((part) => make("li", {}, anything(part))));
  if (value === null || typeof value !== "object") return foreign(shown(value), 500);
  if ("name" in value && "value" in value) return reason(value);
  const rows = Object.entries(value).filter(([, part]) => part !== null && part !== "");
  return make("ul", {}, rows.map(([name, part]) => make("li", {}, line(name, part))));
}

function line(name, part) {
  const label = make("span", { class: "faint" }, `${name.replaceAll("_", " ")}: `);
  const isTree = SHOWN_APART.includes(name) || typeof part === "object";
  return isTree ? make("div", {}, label, anything(part)) : make("div", {}, label, foreign(shown(part), 500));
}

function reason(given) {
  const head = make(
    "div",
    {},
    foreign(given.name, 120),
    " ",
    make("span", { class: "value" }, shown(given.value)),
    given.detail ? make("span", { class: "faint" }, "  ", foreign(given.detail, 300)) : null,
  );
  const parts = given.parts ?? [];
  return parts.length ? make("div", {}, head, anything(parts)) : head;
}

function shown(value) {
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(4)));
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
