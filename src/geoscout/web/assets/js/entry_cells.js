// All entries that fit on the map, as circles that stand for those of a cell; the server counts them.

import { ask } from "./api.js";
import { plural } from "./dom.js";
import { boxOf } from "./labels.js";

const LEAST_RADIUS = 3;
const MOST_RADIUS = 22;

/** Cells of what was asked for last; they follow the view of a map. */
export class EntryCells {
  constructor(map) {
    this._map = map;
    this._layer = L.layerGroup().addTo(map);
    this._look = () => this._draw();
    map.on("moveend", this._look);
  }

  show(asked) {
    this._asked = asked;
    this._draw();
  }

  remove() {
    this._asked = null;
    this._asking?.abort();
    this._map.off("moveend", this._look);
  }

  async _draw() {
    if (!this._asked) return;
    this._asking?.abort();
    this._asking = new AbortController();
    try {
      const { sort, ...filters } = this._asked;
      const view = { view: boxOf(this._map.getBounds()) };
      const cells = await ask("directory/cells", { ...filters, ...view }, this._asking.signal);
      if (this._asked) this._fill(cells);
    } catch {
      // The map works without them.
    }
  }

  _fill(cells) {
    this._layer.clearLayers();
    const most = Math.max(...cells.map((cell) => cell.entries), 1);
    for (const cell of cells) {
      const radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt((cell.entries - 1) / most);
      const circle = L.circleMarker([cell.lat, cell.lon], { radius, className: "cell relevant", pane: "area" });
      circle.bindTooltip(plural(cell.entries, "entry", "entries"));
      this._layer.addLayer(circle);
    }
    this._map.getContainer().dataset.cells = cells.length;
  }
}
