// Filters of a search: language, host, dates, kind of evidence. Closed until one is asked for.

import { count, make } from "./dom.js";

export const FILTERS = ["language", "host", "since", "before", "dated_since", "dated_before", "evidence"];
export const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, ""]));

const EVIDENCE = { "": "any", address: "an address", name: "the name of a place", markup: "structured data" };

/** The filters among the parameters of an address. */
export function filtersOf(parameters) {
  return Object.fromEntries(FILTERS.filter((name) => parameters[name]).map((name) => [name, parameters[name]]));
}

/** The form; `change` is called with the filters that differ. */
export function filterForm(parameters, languages, change) {
  const set = Object.keys(filtersOf(parameters)).length;
  const known = Object.entries(languages ?? {}).filter(([code]) => code);
  known.sort(([, one], [, other]) => other - one);
  const options = { "": "any", ...Object.fromEntries(known.map(([code, pages]) => [code, `${nameOf(code)} (${count(pages)})`])) };
  const field = (label, name, input) => make("label", {}, make("span", {}, label), input(name));
  const choice = (all) => (name) =>
    make(
      "select",
      { name, onchange: (event) => change({ [name]: event.target.value }) },
      Object.entries(all).map(([value, text]) => make("option", { value, selected: (parameters[name] ?? "") === value }, text)),
    );
  const entry = (type) => (name) =>
    make("input", { name, type, value: parameters[name] ?? "", maxlength: 300, onchange: (event) => change({ [name]: event.target.value.trim() }) });
  return make(
    "details",
    { class: "filters", open: set > 0 },
    make("summary", {}, set ? `Filters (${set})` : "Filters"),
    make(
      "div",
      { class: "fields" },
      field("Language", "language", choice(options)),
      field("Host", "host", entry("text")),
      field("Place known by", "evidence", choice(EVIDENCE)),
      field("Fetched since", "since", entry("date")),
      field("Fetched before", "before", entry("date")),
      field("Page dated since", "dated_since", entry("date")),
      field("Page dated before", "dated_before", entry("date")),
    ),
    set ? make("button", { type: "button", class: "link", onclick: () => change(NO_FILTERS) }, "Without filters") : null,
  );
}

function nameOf(code) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
