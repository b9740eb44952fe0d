// What the signs on a map mean, in a corner of it; and where streets can be had when there are none.

import { make, replace } from "./dom.js";

const STREETS_FROM_ZOOM = 11; // where the built-in map has no more to show
const WIDE_ENOUGH = 620;

/** The legend of a map; a row is [class of the sign, what it says]. */
export class Legend {
  constructor(map, rows, { hasTiles = false } = {}) {
    this._map = map;
    this._rows = rows;
    this._list = make("ul", {});
    this._streets = make("p", { class: "streets", hidden: true }, "No streets here? ", make("button", { type: "button", class: "link", onclick: tellStreets }, "Add a map of the town"));
    const isOpen = map.getContainer().clientWidth >= WIDE_ENOUGH;
    const box = make("details", { class: "legend", open: isOpen }, make("summary", {}, "Legend"), this._list);
    const corner = L.control({ position: "bottomright" });
    corner.onAdd = () => {
      const content = make("div", { class: "corner" }, this._streets, box);
      L.DomEvent.disableClickPropagation(content);
      L.DomEvent.disableScrollPropagation(content);
      return content;
    };
    corner.addTo(map);
    if (!hasTiles) {
      const look = () => (this._streets.hidden = map.getZoom() < STREETS_FROM_ZOOM);
      map.on("zoomend", look);
      look();
    }
    this._outline = "";
    this._draw();
  }

  /** Other signs for a while; null for the first ones. */
  signs(rows) {
    this._now = rows;
    this._draw();
  }

  /** Say what the dashed line is; "" where there is none. */
  outline(text) {
    this._outline = text;
    this._draw();
  }

  _draw() {
    const signs = this._now ?? this._rows;
    const rows = this._outline ? [...signs, ["dashes", this._outline]] : signs;
    replace(this._list, rows.map(([sign, says]) => make("li", {}, make("i", { class: `sign ${sign}`, "aria-hidden": "true" }), make("span", {}, says))));
  }
}

/** What a dashed line is: GeoJSON of an area says whether its outline is known. */
export function outlineText(feature, what) {
  return feature.properties.estimated ? `${what}: a circle of its likely size, as no outline of it is known` : `${what}: its outline`;
}

function tellStreets() {
  const dialog = make(
    "dialog",
    { "aria-label": "Streets on the map" },
    make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
    make("h2", {}, "Streets on the map"),
    make("p", {}, "The map that comes with geoscout has countries, regions and towns. For streets, rivers and districts, give the server a file of map tiles of your region:"),
    make("p", {}, make("code", {}, "geoscout serve DIR --tiles munich.pmtiles")),
    make("p", {}, "or the address of a tile server that lets you use it:"),
    make("p", {}, make("code", {}, "geoscout serve DIR --tiles 'https://tiles.example.org/{z}/{x}/{y}.png'")),
    make("p", { class: "faint" }, "docs/web.md, “Streets on the map”, says how to cut such a file out of the world, or to make one of an extract of OpenStreetMap. With a file the browser still contacts nobody but this server."),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
