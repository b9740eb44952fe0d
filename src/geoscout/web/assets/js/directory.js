// The directory: entries next to the map, with filters and pages. State is the address.

import { ask } from "./api.js";
import { HitMarks } from "./clusters.js";
import { address, count, make, plural, replace } from "./dom.js";
import { asHit, categoryName, entryItem } from "./entries.js";
import { EntryCells } from "./entry_cells.js";
import { fileLinks } from "./exports.js";
import { boxOf } from "./labels.js";
import { Legend } from "./legend.js";
import { lookAt, openMap } from "./map.js";
import { problemBox } from "./problems.js";

const PAGE = 50;
const FILTERS = ["text", "category", "within", "since", "sort", "bbox"];
const KEPT = [...FILTERS, "within_name", "crawl", "offset"];
const LEGEND = [
  ["spot-exact", "an entry of this list, at its house or street"],
  ["spot-rough", "one of which only postal code or town is known"],
  ["spot-many", "several of them"],
  ["dot-relevant", "all entries that fit; the larger, the more"],
];
const FORMATS = ["geojson", "csv"];
let shown = null; // the directory on the screen

export function open(screen, parameters, site, go) {
  shown = new Directory(screen, site, go);
  shown.ask(parameters);
  return () => {
    shown.close();
    shown = null;
  };
}

/** Other filters while the view is on the screen. */
export function change(parameters) {
  if (!shown) return false;
  shown.ask(parameters);
  return true;
}

class Directory {
  constructor(screen, site, go) {
    this._site = site;
    this._go = go;
    this._build(screen);
    this._map = openMap(this._mapElement, site);
    new Legend(this._map, LEGEND, { hasTiles: Boolean(site.tiles) });
    this._cells = new EntryCells(this._map);
    this._marks = new HitMarks(this._map, {
      noun: "entries",
      point: (numbers) => this._point(numbers),
      leave: () => this._point([]),
      pick: (number) => this._pick(number),
    });
    this._map.on("moveend", () => (this._inView.hidden = this._settling || !this._entries.length));
    this._entries = [];
  }

  close() {
    this._asking?.abort();
    this._cells.remove();
    this._map.remove();
  }

  _build(screen) {
    screen.classList.add("search"); // the same list next to a map
    this._form = make("div", {});
    this._summary = make("p", { class: "summary", role: "status" });
    this._list = make("ol", { class: "hits", "aria-label": "Entries" });
    this._pager = make("nav", { class: "pager", "aria-label": "Pages of the list" });
    this._exports = make("p", { class: "exports" });
    this._mapElement = make("div", { class: "map", role: "region", "aria-label": "Map" });
    this._inView = make("button", { type: "button", hidden: true, onclick: () => this._change({ bbox: boxOf(this._map.getBounds()) }) }, "Only this view");
    const flip = make("button", { type: "button", class: "flip", onclick: () => this._flip(screen, flip) }, "Map");
    this._panel = make(
      "section",
      { class: "panel", "aria-label": "Filters and entries" },
      make("h1", {}, "Directory"), this._form, this._summary, make("h2", { class: "visually-hidden" }, "Entries"), this._list, this._pager, this._exports,
    );
    screen.append(
      this._panel,
      make("section", { class: "stage", "aria-label": "Where they are" }, this._mapElement, make("div", { class: "tools" }, this._inView)),
      flip,
    );
  }

  _flip(screen, button) {
    const onMap = screen.classList.toggle("on-map");
    button.textContent = onMap ? "List" : "Map";
    this._map.invalidateSize();
    this._look();
  }

  /** Ask again with some parameters different; a change of filters begins with the first page. */
  _change(different) {
    const next = { ...this._parameters, offset: "", ...different };
    this._go(address("/directory", Object.fromEntries(KEPT.map((name) => [name, next[name] ?? ""]))));
  }

  _asked() {
    const { crawl } = this._parameters;
    return { crawl, ...Object.fromEntries(FILTERS.map((name) => [name, this._parameters[name]])) };
  }

  async ask(parameters) {
    this._parameters = parameters;
    this._asking?.abort();
    this._asking = new AbortController();
    if (!this._site.crawls.length) return this._tell("No crawl is here yet: begin one under Crawl.");
    this._summary.textContent = "Looking…";
    const signal = this._asking.signal;
    const offset = Number(parameters.offset) || 0;
    try {
      const [found, categories] = await Promise.all([
        ask("directory", { ...this._asked(), offset, limit: PAGE }, signal),
        ask("directory/categories", { crawl: parameters.crawl }, signal),
      ]);
      this._showForm(categories);
      this._show(found, offset);
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      this._showForm(this._categories ?? {});
      this._tell("");
      replace(this._list, make("li", {}, problemBox(error, () => this.ask(this._parameters))));
    }
    return undefined;
  }

  _show(found, offset) {
    this._entries = found.entries;
    this._cells.show(this._asked());
    const on = { point: (number) => this._marks.point(number), leave: () => this._marks.point(null), find: (number) => this._marks.find(number) };
    replace(this._list, found.entries.map((entry, number) => entryItem(entry, number, found.crawl, on)));
    this._points = this._marks.show(found.entries.map(asHit));
    if (!found.entries.length) replace(this._list, this._nothing(found));
    this._summary.textContent = found.entries.length ? summary(found, offset) : "";
    replace(this._pager, ...this._pages(found, offset));
    replace(this._exports, found.entries.length ? fileLinks("/api/directory", this._asked(), "entries", FORMATS) : "");
    this._panel.scrollTop = 0;
    this._look();
  }

  _pages(found, offset) {
    const step = (text, to) => make("button", { type: "button", onclick: () => this._change({ offset: to || "" }) }, text);
    return [offset ? step("← Back", Math.max(0, offset - PAGE)) : null, found.has_more ? step("Next →", offset + PAGE) : null];
  }

  _look() {
    this._settling = true;
    if (this._parameters.bbox) lookAt(this._map, corners(this._parameters.bbox), { closest: 16 });
    else lookAt(this._map, this._points ?? [], { closest: 13 });
    this._settling = false;
    this._inView.hidden = true;
  }

  _showForm(categories) {
    this._categories = categories;
    if (this._form.contains(document.activeElement) && this._form.childNodes.length) return this._fillForm();
    const input = (name, label, more = {}) => make("label", {}, make("span", {}, label), make("input", { name, maxlength: 300, value: this._shownValue(name), ...more }));
    const names = Object.entries(categories).map(([tag, entries]) => [tag, `${categoryName(tag)} (${count(entries)})`]);
    const choose = (name, label, options) =>
      make(
        "label",
        {},
        make("span", {}, label),
        make("select", { name, onchange: (event) => this._change({ [name]: event.target.value }) }, options.map(([value, text]) => make("option", { value, selected: (this._parameters[name] ?? "") === value }, text))),
      );
    const form = make(
      "form",
      { class: "filters entry-filters", role: "search", onsubmit: (event) => this._submit(event, form) },
      make(
        "div",
        { class: "fields" },
        input("text", "Name or other words", { type: "search" }),
        input("within", "In a place", { type: "search", placeholder: "a town or region" }),
        choose("category", "Category", [["", "any"], ...names]),
        input("since", "New or changed since", { type: "date" }),
        choose("sort", "Order", [["", "by name"], ["newest", "newest first"]]),
      ),
      make("p", { class: "row" }, make("button", { type: "submit", class: "primary" }, "Show"), this._chips()),
    );
    replace(this._form, form);
    return undefined;
  }

  /** The form is in use: it stays, so that the focus does, and gets the new values. */
  _fillForm() {
    for (const field of this._form.querySelectorAll("[name]")) {
      if (field !== document.activeElement) field.value = this._shownValue(field.name);
    }
    const row = this._form.querySelector(".row");
    row.querySelectorAll(".link").forEach((chip) => chip.remove());
    const chips = this._chips();
    if (chips) row.append(chips);
  }

  _chips() {
    const isLimited = FILTERS.some((name) => name !== "sort" && this._parameters[name]);
    const none = Object.fromEntries([...FILTERS, "within_name"].map((name) => [name, ""]));
    if (this._parameters.bbox) return make("button", { type: "button", class: "link", onclick: () => this._change({ bbox: "" }) }, "Not only this part of the map");
    return isLimited ? make("button", { type: "button", class: "link", onclick: () => this._change(none) }, "Without filters") : null;
  }

  _submit(event, form) {
    event.preventDefault();
    const { within_name: name, within } = this._parameters;
    const asked = Object.fromEntries(new FormData(form));
    this._change(name && asked.within === name ? { ...asked, within } : { ...asked, within_name: "" });
  }

  /** What a field shows: a place that is meant by its id has a name, too. */
  _shownValue(name) {
    const { within_name: place } = this._parameters;
    return (name === "within" && place) || (this._parameters[name] ?? "");
  }

  _nothing(found) {
    if (!found.directory) {
      return empty("There is no directory of this crawl yet.", "It is being made, unless this server only looks: open this page again in a minute, or run geoscout directory.");
    }
    if (!found.directory.entries) {
      return empty("No page names a business, club or office.", `${plural(found.directory.pages, "page")} of the crawl were looked at.`);
    }
    return empty("No entry fits.", `There are ${plural(found.directory.entries, "entry", "entries")} from ${plural(found.directory.pages, "page")}. Try fewer filters.`);
  }

  _tell(text) {
    this._summary.textContent = text;
    this._entries = [];
    this._marks.show([]);
    replace(this._list);
    replace(this._pager);
    replace(this._exports);
  }

  _point(numbers) {
    for (const item of this._list.querySelectorAll(".hit")) {
      item.classList.toggle("pointed", numbers.includes(Number(item.dataset.hit)));
    }
  }

  _pick(number) {
    const item = this._list.querySelector(`[data-hit="${number}"]`);
    this._point([number]);
    item?.scrollIntoView({ block: "nearest" });
    item?.focus({ preventScroll: true });
  }
}

function summary(found, offset) {
  const range = found.total > found.entries.length ? `${count(offset + 1)}–${count(offset + found.entries.length)} of ` : "";
  return `${range}${plural(found.total, "entry", "entries")}, from ${plural(found.directory.pages, "page")}`;
}

function empty(title, text) {
  return make("li", { class: "empty" }, make("strong", {}, title), make("p", {}, text));
}

function corners(text) {
  const [west, south, east, north] = text.split(",").map(Number);
  return [[south, west], [north, east]];
}
