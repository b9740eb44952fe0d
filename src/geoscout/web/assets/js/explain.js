// Why a URL has its priority: in words, and with all numbers of the strategy below, in a dialog.

import { ask } from "./api.js";
import { address, foreign, inside, make, replace, share } from "./dom.js";
import { problemBox } from "./problems.js";
import { argued, inWords, standing } from "./reason_words.js";

const TITLES = { relevant: "How likely it is relevant", "leads to": "How likely it leads to relevant pages" };
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
    const found = await ask("explain", { crawl, url });
    const numbers = make("details", {}, make("summary", {}, "All numbers"), anything(found));
    replace(content, ...told(found, crawl), numbers);
  } catch (error) {
    replace(content, problemBox(error));
  }
}

/** The explanation in sentences and two lists for each prediction of the strategy. */
function told(found, crawl) {
  const { first, way, far } = standing(found);
  const parent = found.parent ? inside(address("/page", { crawl, url: found.parent }), {}, foreign(found.parent, 120)) : null;
  const parts = [
    make("p", {}, first),
    make("p", {}, foreign(way, 300), " ", parent, found.parent ? `, ${far}.` : "."),
  ];
  if (found.verdict) parts.push(make("p", {}, foreign(`Its page is ${found.relevant ? "relevant" : "not relevant"}: ${found.verdict}.`, 500)));
  if (found.missing) parts.push(make("p", {}, found.missing));
  if (found.reason) parts.push(...arguments_(found.reason));
  return parts;
}

/** A reason whose parts have parts is several predictions; each is argued by itself. */
function arguments_(reason) {
  const predictions = (reason.parts ?? []).filter((part) => part.parts?.length);
  const each = predictions.length ? predictions : [reason];
  const lists = each.map((one) => {
    const { pro, con } = argued(one);
    if (!pro.length && !con.length) return null;
    const title = predictions.length ? TITLES[one.name] ? `${TITLES[one.name]}: ${share(one.value)}` : `${one.name}: ${shown(one.value)}` : "What it comes from";
    return make("section", {}, make("h3", {}, title), side("For it", pro), side("Against it", con));
  });
  const rule = reason.detail ? make("p", { class: "faint" }, foreign(`${reason.name} ${shown(reason.value)}: ${reason.detail}`, 300)) : null;
  return [rule, ...lists].filter(Boolean);
}

function side(title, parts) {
  if (!parts.length) return null;
  return make("div", {}, make("strong", {}, `${title}: `), make("ul", {}, parts.map((part) => make("li", {}, foreign(inWords(part), 200)))));
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
