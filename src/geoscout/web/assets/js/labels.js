// Writes the names of countries, regions and towns on the map, on one canvas, none over another.

import { ask } from "./api.js";

const STYLES = {
  country: { font: "600 12px system-ui, sans-serif", spaced: "1px", dot: false, tone: "--map-label-country" },
  region: { font: "italic 11px system-ui, sans-serif", spaced: "0.5px", dot: false, tone: "--map-label-region" },
  city: { font: "11px system-ui, sans-serif", spaced: "0px", dot: true, tone: "--map-label-city" },
};
const COUNTRIES_UNTIL_ZOOM = 6;
const REGIONS_UNTIL_ZOOM = 8;
const LEAST_COUNTRY = [5e7, 2e7, 5e6, 2e6, 1e5];
const LEAST_PEOPLE = [0, 0, 4e6, 2e6, 1e6, 3e5, 1e5, 3e4, 8000, 2000, 0];

export const Labels = L.Layer.extend({
  onAdd(map) {
    this._map = map;
    this._names = [];
    this._canvas = L.DomUtil.create("canvas", "labels leaflet-zoom-hide", map.getPane("labels"));
    map.on("moveend zoomend resize", this._update, this);
    map.on("zoomstart", this._clear, this);
    this._update();
  },

  onRemove(map) {
    map.off("moveend zoomend resize", this._update, this);
    map.off("zoomstart", this._clear, this);
    this._canvas.remove();
    this._asking?.abort();
  },

  redraw() {
    this._draw();
  },

  _clear() {
    this._canvas.getContext("2d").clearRect(0, 0, this._canvas.width, this._canvas.height);
  },

  async _update() {
    this._place();
    this._draw();
    this._asking?.abort();
    this._asking = new AbortController();
    const box = boxOf(this._map.getBounds());
    try {
      const asked = { bbox: box, zoom: Math.min(20, Math.max(0, Math.floor(this._map.getZoom()))) };
      this._names = await ask("map/labels", asked, this._asking.signal);
      this._draw();
    } catch (error) {
      if (error.name !== "AbortError") this._names = [];
    }
  },

  _place() {
    const size = this._map.getSize();
    const ratio = window.devicePixelRatio || 1;
    this._canvas.width = size.x * ratio;
    this._canvas.height = size.y * ratio;
    this._canvas.style.width = `${size.x}px`;
    this._canvas.style.height = `${size.y}px`;
    L.DomUtil.setPosition(this._canvas, this._map.containerPointToLayerPoint([0, 0]));
  },

  _draw() {
    if (!this._map) return;
    const context = this._canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this._clear();
    const tones = getComputedStyle(document.documentElement);
    const taken = [];
    for (const name of this._names) {
      const style = STYLES[name.kind];
      if (style && this._isShown(name)) this._write(context, name, style, tones, taken);
    }
  },

  _isShown(name) {
    const zoom = this._map.getZoom();
    if (name.kind === "country") {
      return zoom < COUNTRIES_UNTIL_ZOOM && name.population >= (LEAST_COUNTRY[Math.floor(zoom)] ?? 0);
    }
    if (name.kind === "region") return zoom < REGIONS_UNTIL_ZOOM;
    return name.population >= (LEAST_PEOPLE[Math.min(Math.floor(zoom), LEAST_PEOPLE.length - 1)] ?? 0);
  },

  _write(context, name, style, tones, taken) {
    const at = this._map.latLngToContainerPoint([name.lat, name.lon]);
    context.font = style.font;
    context.letterSpacing = style.spaced;
    const text = name.kind === "country" ? name.name.toUpperCase() : name.name;
    const width = context.measureText(text).width;
    const left = style.dot ? at.x + 6 : at.x - width / 2;
    const box = { left: left - 4, right: left + width + 4, top: at.y - 9, bottom: at.y + 9 };
    if (taken.some((other) => overlaps(box, other))) return;
    taken.push(box);
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = tones.getPropertyValue("--map-halo");
    context.fillStyle = tones.getPropertyValue(style.tone);
    context.strokeText(text, left, at.y + 4);
    context.fillText(text, left, at.y + 4);
    if (style.dot) {
      context.beginPath();
      context.arc(at.x, at.y, 2, 0, 2 * Math.PI);
      context.fill();
    }
  },
});

function overlaps(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A part of the map as west,south,east,north, on the globe. */
export function boxOf(bounds) {
  const clamp = (value, most) => Math.max(-most, Math.min(most, value));
  const parts = [
    clamp(bounds.getWest(), 180),
    clamp(bounds.getSouth(), 90),
    clamp(bounds.getEast(), 180),
    clamp(bounds.getNorth(), 90),
  ];
  return parts.map((part) => part.toFixed(5)).join(",");
}
