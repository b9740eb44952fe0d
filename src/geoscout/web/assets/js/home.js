// The search before anything was asked: what the crawl found, by place, by time and as a curve.

import { ask } from "./api.js";
import { Chart } from "./charts.js";
import { address, count, foreign, inside, make, plural, replace } from "./dom.js";
import { categoryName } from "./entries.js";
import { facetTree } from "./facets.js";
import { outlineText } from "./legend.js";
import { drawArea } from "./map.js";
import { PageCells } from "./page_cells.js";

const TOP_PLACES = 8;
const EXAMPLES = 2;
const TOP_CATEGORIES = 8;
const CHART_HEIGHT = 150;
const TOWNS = ["city", "district", "region", "country"]; // what is shown first as a top place

/** What the crawl found, in `panel` and on the map; `narrow` gets a place, `example` a question. */
export class Home {
  constructor(panel, map, legend, { crawl, narrow, example }) {
    this._map = map;
    this._legend = legend;
    this._crawl = crawl;
    this._narrow = narrow;
    this._top = make("div", {});
    this._entries = make("div", {});
    this._newest = make("div", {});
    this._curve = make("div", {});
    this._tree = make("div", {});
    replace(panel, this._welcome(example), this._top, this._entries, this._newest, this._curve, this._tree);
    this._cells = new PageCells(map, crawl.crawl);
    legend.signs([["dot-relevant", "pages of a place, most of them relevant; the larger, the more"], ["dot-grey", "others"]]);
    this._drawRegion();
    this._fill();
    this._showEntries();
  }

  close() {
    this._gone = true;
    this._cells.remove();
    this._area?.remove();
    this._chart?.close();
    this._legend.signs(null);
  }

  _welcome(example) {
    const region = (this._crawl.region[0] ?? "").split(",")[0];
    const isName = /^\p{L}[^:{]*$/u.test(region); // not a box, circle, file or id
    const items = (texts) => texts.map((text) => make("li", {}, make("button", { type: "button", class: "link", onclick: () => example(text) }, text)));
    const list = make("ul", {}, items(isName ? [region] : []));
    // What the crawl has: to ask a list of wineries for universities finds nothing.
    this._exemplify = (names) => isName && replace(list, items([...names.map((name) => `${name} in ${region}`), region]));
    return make(
      "div",
      { class: "empty" },
      make("strong", {}, `Ask ${plural(this._crawl.pages, "page")} for words, a place, or both.`),
      list,
      make("p", { class: "faint keys" }, "Press / to write, arrow keys to go through the hits, m to find one on the map."),
    );
  }

  async _drawRegion() {
    try {
      const region = await ask("region", { crawl: this._crawl.crawl });
      if (this._gone) return;
      this._area = drawArea(this._map, region);
      this._legend.outline(outlineText(region, "the region of the crawl"));
      this._map.fitBounds(this._area.getBounds().pad(0.3), { maxZoom: 10, animate: false });
    } catch {
      // A region that cannot be drawn is still named in the dashboard.
    }
  }

  async _fill() {
    const asked = { crawl: this._crawl.crawl };
    try {
      const [found, curve] = await Promise.all([ask("overview", asked), ask("curve", asked)]);
      if (this._gone) return;
      this._showPlaces(found.places);
      this._showNewest(found.newest);
      this._showCurve(curve);
    } catch {
      // One can search without knowing this.
    }
  }

  _showPlaces(places) {
    const top = TOWNS.flatMap((kind) => places.filter((place) => place.kind === kind)).slice(0, TOP_PLACES);
    if (!top.length) return;
    const chips = top.map((place) =>
      make("button", { type: "button", class: "chip", title: "pages that are about it", onclick: () => this._narrow(place) }, foreign(place.name, 60), make("small", {}, count(place.pages))),
    );
    replace(this._top, section("Top places", make("div", { class: "chips" }, chips)));
    replace(this._tree, facetTree(places, this._narrow));
  }

  async _showEntries() {
    const crawl = this._crawl.crawl;
    const found = await ask("directory", { crawl, limit: 1 }).catch(() => null);
    if (this._gone || !found?.total) return;
    const categories = await ask("directory/categories", { crawl }).catch(() => ({}));
    if (this._gone) return;
    this._exemplify(Object.keys(categories).slice(0, EXAMPLES).map(categoryName));
    const link = (parameters, ...content) => inside(address("/directory", { crawl, ...parameters }), { class: "chip" }, ...content);
    const chips = Object.entries(categories).slice(0, TOP_CATEGORIES).map(([tag, entries]) => link({ category: tag }, categoryName(tag), make("small", {}, count(entries))));
    const all = make("p", { class: "faint" }, inside(address("/directory", { crawl }), {}, `All ${plural(found.total, "entry", "entries")} of the directory`));
    replace(this._entries, section("Businesses, clubs and offices", make("div", { class: "chips" }, chips), all));
  }

  _showNewest(pages) {
    const items = pages.map((page) => make("li", {}, inside(address("/page", { crawl: this._crawl.crawl, n: page.n }), {}, foreign(page.title || page.url, 90))));
    const title = pages.some((page) => page.relevant) ? "Newest relevant pages" : "Newest pages";
    if (items.length) replace(this._newest, section(title, make("ol", { class: "newest" }, items)));
  }

  _showCurve(curve) {
    if (curve.visits.length < 2) return;
    const element = make("div", { class: "chart small" });
    const href = address("/crawl", { crawl: this._crawl.crawl });
    replace(this._curve, section("Harvest", element, make("p", { class: "faint" }, inside(href, {}, "All figures of the crawl"))));
    this._chart = new Chart(element, { x: "responses", y: "relevant pages", lines: [{ label: "relevant pages" }], format: count, height: CHART_HEIGHT, legend: false });
    this._chart.show([[0, ...curve.visits], [0, ...curve.relevant]]);
  }
}

function section(title, ...content) {
  return make("section", { class: "glance" }, make("h2", {}, title), ...content);
}
