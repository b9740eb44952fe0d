// A text in, its places and addresses out: marked in the text, on the map, and in a table.

import { send } from "./api.js";
import { foreign, make, marked, replace, share, table } from "./dom.js";
import { Legend } from "./legend.js";
import { lookAt, openMap } from "./map.js";
import { isExact, precisionNoun, precisionText } from "./precision.js";
import { problemBox } from "./problems.js";

const LONGEST = 1_000_000; // letters
const KEPT = 6000; // bytes of a text that fit into an address, as it is written there
const EXAMPLE = "The Deutsches Museum in Munich has a branch at Am Bavariapark 5, 80339 München. Visitors from Paris, Texas, are welcome.";
const LEGEND = [
  ["spot-exact", "a name in the text"],
  ["circle-address", "an address, at its house or street"],
  ["circle-rough", "an address of which only postal code or town is known"],
];

export function open(screen, parameters, site, go) {
  const view = new GeoparseView(screen, site, go);
  view.start(parameters.text ?? "");
  return () => view.close();
}

class GeoparseView {
  constructor(screen, site, go) {
    this._go = go;
    this._box = make("textarea", { id: "text", rows: 8, maxlength: LONGEST, spellcheck: "false", placeholder: "Paste a text here" });
    this._result = make("div", { role: "status" });
    this._tables = make("div", { class: "column" });
    const mapElement = make("div", { class: "map", role: "region", "aria-label": "Map" });
    const example = make("button", { type: "button", class: "link", onclick: () => this._try(EXAMPLE) }, "Try an example");
    const form = make(
      "form",
      { onsubmit: (event) => this._submit(event) },
      make("label", { for: "text" }, "Text in any language"),
      this._box,
      make("p", { class: "row" }, make("button", { type: "submit", class: "primary" }, "Find places"), example),
    );
    replace(
      screen,
      make("h1", {}, "Find the places of a text"),
      make("p", { class: "faint" }, "As geoscout reads pages. The text stays on this server, and in the address of this page if it is short."),
      make("div", { class: "columns" }, make("div", { class: "column" }, card("Text", form), card("Places in it", this._result)), make("div", { class: "column" }, card("On the map", mapElement), this._tables)),
    );
    this._map = openMap(mapElement, site);
    this._layer = L.layerGroup().addTo(this._map);
    new Legend(this._map, LEGEND, { hasTiles: Boolean(site.tiles) });
  }

  start(text) {
    this._box.value = text;
    if (text) this._read(text);
    else replace(this._result, make("p", { class: "faint" }, "Names and addresses are marked here."));
  }

  close() {
    this._asking?.abort();
    this._map.remove();
  }

  _submit(event) {
    event.preventDefault();
    this._try(this._box.value);
  }

  /** Short texts go into the address, so that they can be shared; long ones are only read. */
  _try(text) {
    if (!text.trim()) return;
    const written = encodeURIComponent(text);
    if (written.length <= KEPT) this._go(`/geoparse?text=${written}`);
    else this._read(text);
  }

  async _read(text) {
    this._asking?.abort();
    this._asking = new AbortController();
    replace(this._result, make("p", { class: "faint" }, "Reading…"));
    try {
      this._show(await send("geoparse", { text }, this._asking.signal));
    } catch (error) {
      if (error.name !== "AbortError") replace(this._result, problemBox(error));
    }
  }

  _show(found) {
    const marks = marksOf(found);
    const decorate = (mark, text) => make("mark", { class: mark.kind, title: mark.label }, make("bdi", {}, text));
    const none = marks.length ? null : make("p", { class: "faint" }, "No place that we know is named in it.");
    replace(this._result, none, make("div", { class: "text", tabindex: 0, role: "group", "aria-label": "Text with places", dir: "auto" }, marked(found.text, marks, decorate)));
    replace(this._tables, card("What it is about", scope(found.scope)), card("Addresses", addresses(found.addresses)));
    this._draw(found);
  }

  _draw(found) {
    this._layer.clearLayers();
    const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const points = [];
    const add = (place, style, text) => {
      L.circleMarker([place.lat, place.lon], { weight: 2, radius: 7, ...style }).bindTooltip(make("bdi", {}, text.slice(0, 120))).addTo(this._layer);
      points.push([place.lat, place.lon]);
    };
    for (const name of ownNames(found).filter(isPlaced)) add(name, { color: tone("--accent"), fillOpacity: 0.7 }, labelOf(name, found));
    for (const address of found.addresses.filter(isPlaced)) {
      const isRough = !isExact(address.precision);
      const style = { color: tone("--warn"), fillOpacity: isRough ? 0 : 0.7, dashArray: isRough ? "3 3" : null };
      add(address, style, `${address.text} (${precisionText(address)})`);
    }
    this._map.getContainer().dataset.marks = points.length;
    lookAt(this._map, points, { closest: 12 });
  }
}

const isPlaced = (one) => one.lat !== null && one.lat !== undefined;

function labelOf(name, found) {
  return found.labels[name.id] ?? name.name;
}

/** The names that are not part of an address: the address says it all. */
function ownNames(found) {
  const written = found.addresses.filter((one) => one.end);
  return found.toponyms.filter((name) => !written.some((one) => one.start < name.end && name.start < one.end));
}

/** Addresses and names in the order of the text. */
function marksOf(found) {
  const written = found.addresses.filter((one) => one.end);
  return [
    ...written.map((one) => ({ start: one.start, end: one.end, kind: "address", label: one.text })),
    ...ownNames(found).map((one) => ({ start: one.start, end: one.end, kind: "place", label: one.id === null ? "not resolved" : labelOf(one, found) })),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
}

function scope(places) {
  const columns = [
    { title: "place", cell: (place) => foreign(place.path.length ? [...place.path].reverse().join(", ") : place.name, 120) },
    { title: "share", class: "number-cell", cell: (place) => share(place.score) },
  ];
  return table(columns, places, "no place");
}

function addresses(found) {
  const columns = [
    { title: "address", cell: (one) => foreign(one.text, 160) },
    { title: "country", class: "word", cell: (one) => one.country },
    { title: "placed by", class: "word", cell: (one) => precisionNoun(one.precision) },
  ];
  return table(columns, found, "none");
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}
