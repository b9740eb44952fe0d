// Places of the hits as a tree one can browse; a click narrows the search to one of them.

import { count, foreign, make } from "./dom.js";

/** A tree of the facets; `narrow` gets the facet that was chosen. */
export function facetTree(facets, narrow) {
  if (!facets.length) return null;
  const known = new Map(facets.map((facet) => [facet.id, { facet, below: [] }]));
  const roots = [];
  for (const node of known.values()) {
    const above = [...node.facet.path].reverse().find((id) => known.has(id));
    (above === undefined ? roots : known.get(above).below).push(node);
  }
  return make(
    "details",
    { class: "facets", open: !matchMedia("(max-width: 45rem)").matches },
    make("summary", {}, "Places of these pages"),
    make("ul", { class: "tree" }, roots.map((node) => branch(node, narrow, 0))),
  );
}

function branch(node, narrow, depth) {
  const choose = make(
    "button",
    { type: "button", data: { facet: node.facet.id }, title: `Only ${node.facet.name}`, onclick: () => narrow(node.facet) },
    foreign(node.facet.name),
    make("span", { class: "count" }, count(node.facet.pages)),
  );
  if (!node.below.length) return make("li", {}, choose);
  const below = node.below.sort((a, b) => b.facet.pages - a.facet.pages);
  const list = make("ul", { hidden: depth >= 2 }, below.map((child) => branch(child, narrow, depth + 1)));
  return make("li", {}, foldButton(node.facet.name, list), choose, list);
}

/** A button of its own, not a summary around `choose`: a control inside another cannot be reached by all. */
function foldButton(name, list) {
  const button = make("button", { type: "button", class: "fold", "aria-label": `Places in ${name}`, "aria-expanded": String(!list.hidden) });
  button.addEventListener("click", () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  });
  return button;
}
