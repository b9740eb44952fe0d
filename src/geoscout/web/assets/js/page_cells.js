// All pages of a crawl on the map, as circles that stand for the pages of a cell; the server counts them.

import { ask } from "./api.js";
import { address, count, inside, make, plural } from "./dom.js";
import { boxOf } from "./labels.js";

const AGAIN_MILLISECONDS = 400; // while the server still reads a large crawl
const LEAST_RADIUS = 4;
const MOST_RADIUS = 26;

/** Cells that follow the view of a map for as long as they are on it. */
export class PageCells {
  constructor(map, crawl) {
    this._map = map;
    this._crawl = crawl;
    this._layer = L.layerGroup().addTo(map);
    this._look = () => this.look();
    map.on("moveend", this._look);
    this.look();
  }

  remove() {
    this._gone = true;
    clearTimeout(this._timer);
    this._asking?.abort();
    this._map.off("moveend", this._look);
    this._layer.remove();
  }

  async look() {
    clearTimeout(this._timer);
    this._asking?.abort();
    this._asking = new AbortController();
    try {
      const found = await ask("map/pages", { crawl: this._crawl, bbox: boxOf(this._map.getBounds()) }, this._asking.signal);
      if (this._gone) return;
      this._draw(found);
      if (!found.is_whole) this._timer = setTimeout(this._look, AGAIN_MILLISECONDS);
    } catch {
      // The map works without them.
    }
  }

  _draw(found) {
    this._layer.clearLayers();
    const most = Math.max(...found.cells.map((cell) => cell.pages), 1);
    for (const cell of found.cells) {
      const radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt((cell.pages - 1) / most);
      const isRelevant = 2 * cell.relevant >= cell.pages;
      const circle = L.circleMarker([cell.lat, cell.lon], { radius, className: `cell ${isRelevant ? "relevant" : "other"}` });
      circle.bindTooltip(`${plural(cell.pages, "page")}, ${count(cell.relevant)} relevant`);
      circle.bindPopup(() => this._popup(cell));
      this._layer.addLayer(circle);
    }
    this._map.getContainer().dataset.cells = found.cells.length;
  }

  _popup(cell) {
    const href = address("/search", { crawl: this._crawl, bbox: cell.bbox });
    const closer = () => this._map.fitBounds(boundsOf(cell.bbox), { maxZoom: 14 });
    return make(
      "div",
      { class: "popup" },
      make("p", {}, `${plural(cell.pages, "page")}, ${count(cell.relevant)} relevant`),
      make("p", {}, inside(href, {}, "Show them")),
      cell.pages > 1 ? make("p", {}, make("button", { type: "button", class: "link", onclick: closer }, "Look closer")) : null,
    );
  }
}

function boundsOf(text) {
  const [west, south, east, north] = text.split(",").map(Number);
  return [[south, west], [north, east]];
}
