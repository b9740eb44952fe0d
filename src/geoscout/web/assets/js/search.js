// Search: one box, the interpretation as chips, hits next to the map, places as a tree. State is the address.

import { ask } from "./api.js";
import { askForBox } from "./area_form.js";
import { readingChips } from "./chips.js";
import { HitMarks } from "./clusters.js";
import { completePlaces } from "./completion.js";
import { address, count, cut, make, replace } from "./dom.js";
import { drawBox } from "./drawing.js";
import { foundEntries, foundFacts } from "./entries.js";
import { hitExports } from "./exports.js";
import { facetTree } from "./facets.js";
import { FILTERS, NO_FILTERS, filterForm, filtersOf } from "./filters.js";
import { hitItem } from "./hits.js";
import { Home } from "./home.js";
import { boxOf } from "./labels.js";
import { Legend, outlineText } from "./legend.js";
import { drawArea, drawCircle, lookAt, openMap } from "./map.js";
import { problemBox } from "./problems.js";

const PAGE = 30;
const WALK_KM = 1; // around a street: where the place score has fallen to a third
const KEPT = ["q", "crawl", "place", "within", "within_name", "bbox", "near", "explain", ...FILTERS];
const LEGEND = [
  ["spot-exact", "a hit, at its house or street"],
  ["spot-rough", "a hit, somewhere around here: only its postal code or town is known"],
  ["spot-many", "several hits"],
];
let shown = null; // the search on the screen

export function open(screen, parameters, site, go) {
  shown = new Search(screen, site, go);
  shown.ask(parameters);
  return () => {
    shown.close();
    shown = null;
  };
}

/** Another question while the view is on the screen. */
export function change(parameters) {
  if (!shown) return false;
  shown.ask(parameters);
  return true;
}

class Search {
  constructor(screen, site, go) {
    this._site = site;
    this._go = go;
    this._asking = null;
    this._hits = [];
    this._build(screen);
    this._map = openMap(this._mapElement, site);
    this._legend = new Legend(this._map, LEGEND, { hasTiles: Boolean(site.tiles) });
    this._marks = new HitMarks(this._map, {
      point: (numbers) => this._point(numbers),
      leave: () => this._point([]),
      pick: (number) => this._pick(number),
    });
    this._map.on("moveend", () => this._offerView());
    this._keys = (event) => this._onKey(event);
    document.addEventListener("keydown", this._keys);
  }

  close() {
    document.removeEventListener("keydown", this._keys);
    this._asking?.abort();
    this._completion.hide();
    this._leaveHome();
    this._map.remove();
  }

  _build(screen) {
    this._input = make("input", {
      id: "question", type: "search", name: "q", autocomplete: "off", spellcheck: "false", maxlength: 1000,
      placeholder: "pizza restaurant in Lisbon", role: "combobox", "aria-label": "Search for words and places",
      "aria-expanded": "false", "aria-controls": "completions", "aria-autocomplete": "list",
    });
    const list = make("ul", { id: "completions", class: "completions", role: "listbox", hidden: true });
    const form = make(
      "form",
      { class: "ask", role: "search", onsubmit: (event) => this._submit(event) },
      make("div", { class: "box" }, this._input, list),
      make("button", { type: "submit", class: "primary" }, "Search"),
    );
    this._reading = make("div", { class: "reading", "aria-live": "polite" });
    this._summary = make("p", { class: "summary", role: "status" });
    this._heading = make("h1", { class: "visually-hidden" }, "Search");
    this._skip = make("button", { type: "button", class: "skip", hidden: true, onclick: () => this._list.querySelector(".hit a")?.focus() }, "Skip to the hits");
    this._homePanel = make("div", {});
    this._list = make("ol", { class: "hits", "aria-label": "Hits" });
    this._more = make("button", { type: "button", class: "more", hidden: true, onclick: () => this._askMore() }, "More");
    this._exports = make("p", { class: "exports" });
    this._facets = make("div", {});
    this._entries = make("div", {});
    this._filters = make("div", {});
    this._mapElement = make("div", { class: "map", role: "region", "aria-label": "Map" });
    this._inView = make("button", { type: "button", hidden: true, onclick: () => this._searchView() }, "Search in this view");
    this._draw = make("button", { type: "button", onclick: () => this._drawArea() }, "Draw an area");
    const numbers = make("button", { type: "button", title: "Area in numbers", "aria-label": "Area in numbers", onclick: () => this._askForArea() }, "…");
    const flip = make("button", { type: "button", class: "flip", onclick: () => this._flip(screen, flip) }, "Map");
    screen.append(
      make(
        "section",
        { class: "panel", "aria-label": "Question and hits" },
        this._heading, form, this._skip, this._reading, this._summary, this._entries, this._filters, this._facets, this._homePanel, make("h2", { class: "visually-hidden" }, "Hits"), this._list, this._more, this._exports,
      ),
      make("section", { class: "stage", "aria-label": "Where they are" }, this._mapElement, make("div", { class: "tools" }, this._inView, this._draw, numbers)),
      flip,
    );
    this._completion = completePlaces(this._input, list, () => this._submit());
  }

  _flip(screen, button) {
    const onMap = screen.classList.toggle("on-map");
    button.textContent = onMap ? "List" : "Map";
    this._map.invalidateSize();
    this._look();
  }

  _submit(event) {
    event?.preventDefault();
    this._completion.hide();
    this._change({ q: this._input.value.trim(), place: "", offset: "" });
  }

  /** Ask again with some parameters different; they go into the address. */
  _change(different) {
    const next = { ...this._parameters, ...different };
    this._go(address("/search", Object.fromEntries(KEPT.map((name) => [name, next[name] ?? ""]))));
  }

  async ask(parameters) {
    this._parameters = parameters;
    this._input.value = parameters.q ?? "";
    this._nameQuestion(parameters.q);
    this._asking?.abort();
    this._leaveHome();
    if (!this._site.crawls.length) return this._welcome("No crawl is here yet: begin one under Crawl, or see the reports under Compare.");
    const isLimited = parameters.bbox || parameters.within || Object.keys(filtersOf(parameters)).length;
    if (!parameters.q && !isLimited) return this._welcome();
    this._summary.textContent = "Searching…";
    try {
      this._show(await this._fetch(0), parameters);
    } catch (error) {
      if (error.name !== "AbortError") this._fail(error);
    }
    return undefined;
  }

  /** The question as the title of the tab, so that several can be told apart. */
  _nameQuestion(text) {
    document.title = text ? `${cut(text, 80)} · geoscout` : "geoscout · search";
    this._heading.textContent = text ? `Search: ${cut(text, 80)}` : "Search";
  }

  /** The question without what is only about showing it. */
  _asked() {
    const { q, crawl, place, within, bbox, near } = this._parameters;
    return { q, crawl, place, within, bbox, near, ...filtersOf(this._parameters) };
  }

  _fetch(offset) {
    this._asking = new AbortController();
    const { explain } = this._parameters;
    return ask("search", { ...this._asked(), explain, limit: PAGE, offset }, this._asking.signal);
  }

  async _askMore() {
    this._more.disabled = true;
    try {
      const answer = await this._fetch(this._hits.length);
      this._append(answer);
    } catch (error) {
      if (error.name !== "AbortError") this._list.append(make("li", {}, problemBox(error)));
    }
    this._more.disabled = false;
  }

  _show(answer, parameters) {
    replace(this._reading, readingChips(answer.reading, parameters, (different) => this._change(different)));
    if (answer.reading.asks_here && !answer.reading.point) this._reading.append(this._locator());
    const about = answer.total_is_exact ? "" : "about ";
    this._summary.textContent = answer.hits.length
      ? `${about}${count(answer.total)} ${answer.total === 1 ? "page" : "pages"}`
      : "";
    replace(this._list);
    this._hits = [];
    const tree = facetTree(answer.facets, (facet) => this._narrow(facet));
    replace(this._facets, tree);
    replace(this._entries, foundFacts(answer), foundEntries(answer));
    replace(this._filters, filterForm(parameters, answer.languages, (different) => this._change(different)));
    this._append(answer);
    replace(this._exports, answer.hits.length ? hitExports(this._asked()) : "");
    if (!answer.hits.length) replace(this._list, this._nothing(answer));
    this._look(answer.reading);
  }

  _append(answer) {
    const on = { point: (number) => this._marks.point(number), leave: () => this._marks.point(null), find: (number) => this._marks.find(number), host: (host) => this._change({ host }), asked: answer.reading.point };
    for (const hit of answer.hits) {
      this._list.append(hitItem(hit, this._hits.length, answer.crawl, on));
      this._hits.push(hit);
    }
    this._more.hidden = !answer.has_more;
    this._skip.hidden = !this._hits.length;
    this._points = this._marks.show(this._hits, answer.reading.point);
  }

  /** Bring the hits into view, and the outline of the place that was read. */
  async _look(reading = this._read) {
    this._read = reading;
    this._area?.remove();
    this._area = null;
    this._legend.outline("");
    this._aim(null, reading);
    if (!reading?.place) return;
    if (reading.precision === "house" || reading.precision === "street") {
      this._area = drawCircle(this._map, reading.point, WALK_KM);
      this._legend.outline(`${WALK_KM} km around the street`);
      this._aim(this._area.getBounds(), reading, 15);
      return;
    }
    try {
      const outline = await ask(`places/${reading.place.id}/outline`);
      if (this._read !== reading) return;
      this._area = drawArea(this._map, outline, this._area);
      this._legend.outline(outlineText(outline, outline.properties.name));
      this._aim(this._area.getBounds(), reading);
    } catch {
      // Without its outline the place is still named in the chip.
    }
  }

  /** Move the map: to the box that was drawn, else to the hits in or about the place, else to all. */
  _aim(place, reading, closest = 11) {
    const near = place ? (this._points ?? []).filter((point) => place.pad(1).contains(point)) : [];
    const points = near.length ? near : this._points ?? [];
    this._settling = true;
    if (this._parameters.bbox) lookAt(this._map, boundsOf(this._parameters.bbox), { closest: 16 });
    else if (points.length) lookAt(this._map, points, { closest });
    else if (reading?.point) this._map.setView([reading.point.lat, reading.point.lon], 9, { animate: false });
    this._settling = false;
    this._inView.hidden = true;
  }

  /** A button for a query that says "near me": only the browser knows where that is. */
  _locator() {
    const button = make("button", { type: "button", class: "locate", onclick: () => this._locate(button) }, "Use my location");
    return button;
  }

  _locate(button) {
    const found = ({ coords }) => this._change({ near: `${coords.latitude.toFixed(5)},${coords.longitude.toFixed(5)}` });
    const failed = () => (button.textContent = "Your browser does not tell where you are; name a place");
    if (navigator.geolocation) navigator.geolocation.getCurrentPosition(found, failed, { timeout: 10000 });
    else failed();
  }

  _nothing(answer) {
    const tips = [];
    if (this._parameters.bbox) tips.push(tip("Search everywhere", () => this._change({ bbox: "" })));
    if (this._parameters.within) tips.push(tip("Search in all places", () => this._change({ within: "", within_name: "" })));
    for (const offer of answer.offers) {
      const filters = offer.keeps_filters ? {} : NO_FILTERS;
      tips.push(tip(offerText(offer), () => this._change({ q: offer.q, place: offer.place ?? "", ...filters })));
    }
    if (answer.reading.place && !answer.offers.length) tips.push(tip("Take it as words only", () => this._change({ place: 0 })));
    for (const other of answer.reading.alternatives.filter((one) => one.place && one.pages)) {
      tips.push(tip(`Look in ${other.label} (${count(other.pages)} pages)`, () => this._change({ place: other.place.id })));
    }
    return make(
      "li",
      { class: "empty" },
      make("strong", {}, "No page fits."),
      make("p", {}, tips.length ? "You may want to:" : "Try fewer or other words."),
      make("ul", {}, tips),
    );
  }

  _welcome(text = null) {
    const crawl = this._site.crawls.find((one) => one.crawl === this._parameters.crawl) ?? this._site.crawls[0];
    replace(this._reading);
    replace(this._facets);
    replace(this._entries);
    replace(this._filters);
    this._summary.textContent = "";
    this._hits = [];
    this._points = this._marks.show([]);
    this._more.hidden = this._skip.hidden = true;
    this._area?.remove();
    this._area = null;
    replace(this._list, text ? make("li", { class: "empty" }, make("strong", {}, text)) : null);
    if (text || !crawl) return;
    this._home = new Home(this._homePanel, this._map, this._legend, {
      crawl,
      narrow: (facet) => this._narrow(facet),
      example: (q) => this._change({ q }),
    });
  }

  _narrow(facet) {
    this._change({ within: `id:${facet.id}`, within_name: facet.name });
  }

  _leaveHome() {
    this._home?.close();
    this._home = null;
    replace(this._homePanel);
  }

  _fail(error) {
    this._summary.textContent = "";
    replace(this._facets);
    replace(this._entries);
    replace(this._list, make("li", {}, problemBox(error, () => this.ask(this._parameters))));
    this._more.hidden = this._skip.hidden = true;
    this._hits = [];
    this._marks.show([]);
  }

  _point(numbers) {
    for (const item of this._list.querySelectorAll(".hit")) {
      item.classList.toggle("pointed", numbers.includes(Number(item.dataset.hit)));
    }
  }

  _pick(number) {
    const item = this._list.querySelector(`[data-hit="${number}"]`);
    this._point([number]);
    item?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    item?.focus({ preventScroll: true });
  }

  _offerView() {
    if (!this._settling && this._hits.length) this._inView.hidden = false;
  }

  _searchView() {
    this._change({ bbox: boxOf(this._map.getBounds()), place: this._parameters.place ?? "" });
  }

  _drawArea() {
    this._draw.disabled = true;
    this._draw.textContent = "Drag over the map";
    drawBox(this._map, (bounds) => {
      this._draw.disabled = false;
      this._draw.textContent = "Draw an area";
      if (bounds) this._change({ bbox: boxOf(bounds) });
    });
  }

  _askForArea() {
    askForBox(this._parameters.bbox || boxOf(this._map.getBounds()), (bbox) => this._change({ bbox }));
  }

  _onKey(event) {
    if (event.target.closest("dialog")) return;
    const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      this._input.focus();
      this._input.select();
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && !event.target.closest(".leaflet-container")) {
      this._step(event, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "m" && !isTyping) {
      const item = event.target.closest(".hit");
      if (item) this._marks.find(Number(item.dataset.hit));
    }
  }

  _step(event, by) {
    const items = [...this._list.querySelectorAll(".hit")];
    if (!items.length) return;
    event.preventDefault();
    const at = items.indexOf(document.activeElement.closest(".hit"));
    const next = items[Math.max(0, Math.min(items.length - 1, at + by))];
    next.querySelector("a").focus();
    next.scrollIntoView({ block: "nearest" });
  }
}

function offerText(offer) {
  const only = offer.place === 0 ? " in all places" : offer.keeps_filters ? "" : " without filters";
  return `Search for “${offer.q}”${only} (${count(offer.pages)} ${offer.pages === 1 ? "page" : "pages"})`;
}

function tip(text, act) {
  return make("li", {}, make("button", { type: "button", class: "link", onclick: act }, text));
}

function boundsOf(text) {
  const [west, south, east, north] = text.split(",").map(Number);
  return [[south, west], [north, east]];
}
