// The pages of a crawl as dots on the map, as they are found; thousands of them, on one canvas.

import { foreign, address, inside, make } from "./dom.js";

const MOST = 20000; // the oldest of those that are not relevant make room

export class PageDots {
  constructor(map, crawl) {
    this._map = map;
    this._crawl = crawl;
    this._renderer = L.canvas({ padding: 0.3, tolerance: 4 });
    this._others = L.layerGroup().addTo(map);
    this._relevant = L.layerGroup().addTo(map);
    this._queue = [];
    this.total = 0;
  }

  add(pages) {
    const style = getComputedStyle(document.documentElement);
    const colours = { true: style.getPropertyValue("--good").trim(), false: style.getPropertyValue("--faint").trim() };
    for (const page of pages) {
      const dot = L.circleMarker([page.lat, page.lon], {
        renderer: this._renderer,
        radius: page.relevant ? 5 : 3,
        color: colours[page.relevant],
        weight: page.relevant ? 1.5 : 0,
        fillOpacity: page.relevant ? 0.75 : 0.45,
      });
      dot.bindPopup(() => this._popup(page));
      (page.relevant ? this._relevant : this._others).addLayer(dot);
      if (!page.relevant) this._queue.push(dot);
      this.total += 1;
    }
    while (this._queue.length > MOST) this._others.removeLayer(this._queue.shift());
    this._map.getContainer().dataset.dots = this.total;
  }

  _popup(page) {
    const href = address("/page", { crawl: this._crawl, n: page.n });
    return make(
      "div",
      { class: "popup" },
      inside(href, {}, foreign(page.title || page.url, 120)),
      make("p", { class: "faint" }, `response ${page.n}`, page.relevant ? ", relevant" : ""),
    );
  }
}
