// The text of a page with its places marked: its own first, menus and footers folded behind it.

import { make, marked } from "./dom.js";

/** The text of an answer of /api/page. */
export function pageText(found) {
  if (found.note && !found.text) return make("p", { class: "faint" }, found.note);
  const points = Array.from(found.text);
  const menus = stretch(points, found.marks, found.menus);
  const own = stretch(points, found.marks, without(found.menus, points.length));
  return make(
    "div",
    {},
    make("div", { class: "text", tabindex: 0, role: "group", "aria-label": "Text", dir: "auto" }, own),
    found.text_is_cut ? make("p", { class: "faint" }, "The text goes on; it is cut here.") : null,
    found.note ? make("p", { class: "faint" }, found.note) : null,
    found.menus.length
      ? make("details", { class: "menus" }, make("summary", {}, "Menus and footers"), make("div", { class: "text", dir: "auto" }, menus))
      : null,
  );
}

/** Some stretches of the text, one below the other, with the marks in them. */
function stretch(points, marks, stretches) {
  return stretches.flatMap(([start, end]) => {
    while (start < end && !points[start].trim()) start += 1;
    const text = points.slice(start, end).join("");
    if (!text) return [];
    const inside = marks.filter((mark) => mark.start >= start && mark.end <= end);
    const moved = inside.map((mark) => ({ ...mark, start: mark.start - start, end: mark.end - start }));
    return [...marked(text, moved, decorate), text.endsWith("\n") ? "" : "\n"];
  });
}

/** What is between the stretches. */
function without(stretches, length) {
  const rest = [];
  let at = 0;
  for (const [start, end] of stretches) {
    if (start > at) rest.push([at, start]);
    at = end;
  }
  if (at < length) rest.push([at, length]);
  return rest;
}

function decorate(mark, text) {
  return make("mark", { class: mark.kind, title: mark.label, data: { place: mark.id } }, make("bdi", {}, text));
}
