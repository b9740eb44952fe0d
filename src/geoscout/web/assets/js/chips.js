// How the query was read, as chips that can be changed: the words, the place, what was not meant.

import { count, foreign, make } from "./dom.js";
import { dropdown } from "./dropdown.js";

const MOST_OTHERS = 3;

/** The chips of an interpretation; `change` gets the parameters that become different. */
export function readingChips(reading, parameters, change) {
  const chips = [];
  if (reading.words.length) {
    chips.push(make("span", { class: "chip words" }, make("small", {}, "words"), foreign(reading.words.join(" "))));
  }
  if (reading.relation && !reading.asks_here) chips.push(placeChip(reading, change));
  if (parameters.near) chips.push(removable("near", reading.asks_here ? "your location" : parameters.near, () => change({ near: "" })));
  if (parameters.within) {
    const shown = parameters.within_name || parameters.within;
    chips.push(removable("only", shown, () => change({ within: "", within_name: "" })));
  }
  if (parameters.bbox) chips.push(removable("in", "the area on the map", () => change({ bbox: "" })));
  if (parameters.place === "0") {
    chips.push(removable("", "words only, no place", () => change({ place: "" })));
  }
  const notes = reading.notes.map((note) => make("p", { class: "note" }, note));
  return [make("div", { class: "chips", role: "group", "aria-label": "How the query was read" }, chips), ...notes];
}

function placeChip(reading, change) {
  const others = reading.alternatives;
  const label = [make("small", {}, reading.relation), foreign(reading.label || reading.name)];
  if (!others.length) return make("span", { class: "chip place" }, label);
  const items = others.map((other) => alternative(other, change, "menuitem"));
  const shown = [...label, make("span", { class: "arrow", "aria-hidden": "true" }, "▾")];
  const named = others.filter((other) => other.place).slice(0, MOST_OTHERS);
  const not = named.length
    ? make("span", { class: "not" }, make("small", {}, "not:"), named.map((other) => alternative(shortened(other, reading.label), change)))
    : null;
  return make("span", { class: "meaning" }, dropdown({ class: "chip place", title: "Choose another meaning" }, shown, items), not);
}

/** The label without the country, where it is that of the place that was read. */
function shortened(other, label) {
  const country = label.slice(label.lastIndexOf(", "));
  const isSame = country.startsWith(", ") && other.label.endsWith(country);
  return isSame ? { ...other, label: other.label.slice(0, -country.length) } : other;
}

function alternative(other, change, role = null) {
  const pages = other.place && role ? make("span", { class: "faint" }, ` ${count(other.pages)} pages`) : null;
  return make(
    "button",
    {
      type: "button",
      role,
      class: "other",
      data: { place: other.place ? other.place.id : 0 },
      onclick: () => change({ place: other.place ? other.place.id : 0 }),
    },
    foreign(other.label),
    pages,
  );
}

function removable(before, text, remove) {
  return make(
    "span",
    { class: "chip" },
    before ? make("small", {}, before) : null,
    foreign(text, 60),
    make("button", { type: "button", class: "remove", "aria-label": `Remove “${text}”`, onclick: remove }, "×"),
  );
}
