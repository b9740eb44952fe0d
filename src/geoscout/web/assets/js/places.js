// The places of a crawl's pages, from the continents down; a click goes into one.

import { ask } from "./api.js";
import { address, count, foreign, inside, make, plural, replace } from "./dom.js";
import { showProblem } from "./problems.js";

export function open(screen, { crawl, place }) {
  start(screen, crawl, place);
}

async function start(screen, crawl, place) {
  try {
    const found = await ask("hierarchy", { crawl, place });
    const to = (id) => address("/places", { crawl, place: id });
    const above = found.above.map((node) => [inside(to(node.place.id), {}, foreign(node.place.name)), " › "]);
    const name = found.place?.name ?? "Places of these pages";
    document.title = `geoscout · ${name.slice(0, 80)}`;
    const search = found.place && inside(address("/search", { crawl, within: `id:${found.place.id}` }), {}, "Search here");
    const items = found.children.map((node) => make("li", {}, inside(to(node.place.id), {}, foreign(node.place.name)), " ", make("small", { class: "faint" }, `${node.place.kind}, ${plural(node.pages, "page")}`)));
    replace(
      screen,
      make("p", {}, found.place ? [inside(to(), {}, "All places"), " › ", ...above.flat()] : null),
      make("h1", {}, foreign(name, 120)),
      make("p", {}, found.place ? `${plural(found.pages, "page")} about it or a place in it. ` : `${plural(found.pages, "page")} with a place, by continent.`, search),
      items.length ? make("ul", { class: "named" }, items) : make("p", { class: "faint" }, `No page tells where in it: ${count(found.pages)} of it as a whole.`),
    );
  } catch (error) {
    showProblem(screen, error, () => start(screen, crawl, place));
  }
}
