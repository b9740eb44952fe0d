// Puts the hits on the map: those that would cover each other become one mark with a number.

import { foreign, make } from "./dom.js";
import { isExact, precisionText } from "./precision.js";

const REACH_PIXELS = 34;
const NEAR_METRES = 50000;

/** The marks of hits on a map; `on` has functions for `point`, `leave` and `pick` of a hit, and the `noun` of several. */
export class HitMarks {
  constructor(map, on) {
    this._map = map;
    this._on = on;
    this._layer = L.layerGroup().addTo(map);
    this._spots = [];
    this._marks = new Map(); // by number of the hit
    this._pointed = null;
    map.on("zoomend", () => this._draw());
  }

  /** Show these hits; a hit is where its surest point is, if that is near `asked`. */
  show(hits, asked = null) {
    this._spots = hits
      .map((hit, number) => ({ hit, number, ...spotOf(hit, asked) }))
      .filter((spot) => spot.at);
    this._draw();
    return this._spots.map((spot) => spot.at);
  }

  /** Make the mark of a hit stand out; null for none. */
  point(number) {
    this._marks.get(this._pointed)?.getElement()?.classList.remove("pointed");
    this._pointed = number;
    this._marks.get(number)?.getElement()?.classList.add("pointed");
    this._showReach(this._spots.find((spot) => spot.number === number));
  }

  /** Of a rough point, draw how far from it the truth may be. */
  _showReach(spot) {
    this._reach?.remove();
    this._reach = null;
    if (!spot?.isRough || !spot.point.reach_km) return;
    const style = { className: "reach", radius: spot.point.reach_km * 1000, interactive: false, pane: "area" };
    this._reach = L.circle(spot.at, style).addTo(this._map);
  }

  /** Bring a hit into view and open its mark. */
  find(number) {
    const spot = this._spots.find((one) => one.number === number);
    if (!spot) return false;
    this._map.setView(spot.at, Math.max(this._map.getZoom(), 11), { animate: false });
    this.point(number);
    this._open(this._marks.get(number), this._groupOf(number));
    return true;
  }

  _groupOf(number) {
    return this._groups.find((group) => group.some((spot) => spot.number === number)) ?? [];
  }

  _draw() {
    this._layer.clearLayers();
    this._marks.clear();
    this._groups = cluster(this._map, this._spots);
    for (const group of this._groups) this._add(group);
    this.point(this._pointed);
  }

  _add(group) {
    const first = group[0];
    const isOne = group.length === 1;
    const isRough = group.every((spot) => spot.isRough);
    const icon = L.divIcon({
      className: `pin${isOne ? "" : " many"}${isRough ? " rough" : ""}`,
      html: make("span", {}, isOne ? String(first.number + 1) : `${group.length}`),
      iconSize: isOne ? [24, 24] : [32, 32],
    });
    const pages = isOne ? first.hit.title.slice(0, 120) : `${group.length} ${this._on.noun ?? "pages"}`;
    const title = isOne ? `${pages} (${precisionText(first.point)})` : isRough ? `${pages}, somewhere around here` : pages;
    const mark = L.marker(middle(group), { icon, title, alt: title, riseOnHover: true });
    for (const spot of group) this._marks.set(spot.number, mark);
    mark.on("mouseover", () => this._on.point(group.map((spot) => spot.number)));
    mark.on("mouseout", () => this._on.leave());
    mark.on("click keypress", (event) => {
      if (event.type === "keypress" && event.originalEvent.key !== "Enter") return;
      this._pick(mark, group);
    });
    this._layer.addLayer(mark);
    mark.getElement().dataset.hits = group.map((spot) => spot.number).join(" ");
  }

  _pick(mark, group) {
    const bounds = L.latLngBounds(group.map((spot) => spot.at));
    const apart = bounds.getNorthEast().distanceTo(bounds.getSouthWest()) > 50;
    if (group.length > 1 && apart && this._map.getZoom() < this._map.getMaxZoom()) {
      this._map.fitBounds(bounds.pad(0.2));
      return;
    }
    this._on.pick(group[0].number);
    this._open(mark, group);
  }

  _open(mark, group) {
    if (!mark || !group.length) return;
    const items = group.slice(0, 12).map((spot) =>
      make(
        "li",
        {},
        make("button", { type: "button", onclick: () => this._on.pick(spot.number) }, `${spot.number + 1}. `, foreign(spot.hit.title, 90)),
      ),
    );
    const more = group.length > items.length ? make("p", { class: "faint" }, `and ${group.length - items.length} more`) : null;
    const content = make("div", { class: "popup" }, make("ul", {}, items), more);
    L.popup({ offset: [0, -8], maxWidth: 280, autoPanPadding: [30, 30] }).setLatLng(mark.getLatLng()).setContent(content).openOn(this._map);
  }
}

/** Of the points of a hit, the surest first, the first that is about as near as the nearest. */
export function spotOf(hit, asked) {
  const spots = hit.points.map((point) => ({
    at: L.latLng(point.lat, point.lon),
    isRough: !isExact(point.precision),
    point,
  }));
  if (!asked || !spots.length) return spots[0];
  const far = (spot) => spot.at.distanceTo([asked.lat, asked.lon]);
  const reach = Math.max(NEAR_METRES, 2 * Math.min(...spots.map(far)));
  return spots.find((spot) => far(spot) <= reach);
}

/** Groups of spots that are near each other on the screen, around the best hit of each. */
function cluster(map, spots) {
  const groups = [];
  for (const spot of spots) {
    const at = map.project(spot.at);
    const near = groups.find((group) => group.center.distanceTo(at) < REACH_PIXELS);
    if (near) near.spots.push(spot);
    else groups.push({ center: at, spots: [spot] });
  }
  return groups.map((group) => group.spots);
}

function middle(group) {
  const sum = group.reduce((total, spot) => [total[0] + spot.at.lat, total[1] + spot.at.lng], [0, 0]);
  return [sum[0] / group.length, sum[1] / group.length];
}
