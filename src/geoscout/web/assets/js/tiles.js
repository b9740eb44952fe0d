// Streets, rivers and districts: tiles of a server that the user named, or of a PMTiles file of our own.

import { make } from "./dom.js";

const DRAWER = "/assets/vendor/protomaps-leaflet.js"; // loaded only where there are vector tiles
let loading = null;

/** Lay the tiles under a map, with the credit that their makers ask for. */
export function addTiles(map, site, highest) {
  if (site.tile_credit) {
    const credit = L.control({ position: "bottomright" });
    credit.onAdd = () => make("div", { class: "credit" }, site.tile_credit);
    credit.addTo(map);
  }
  if (site.tile_kind === "vector") addVectors(map, site);
  else L.tileLayer(site.tiles, { maxZoom: highest, maxNativeZoom: site.tile_zoom || highest, crossOrigin: "" }).addTo(map);
}

async function addVectors(map, site) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const { leafletLayer } = await loadDrawer();
  let layer = null;
  const draw = () => {
    layer?.remove();
    const flavor = scheme.matches ? "dark" : "light";
    layer = leafletLayer({ url: site.tiles, flavor, lang: "en", maxDataZoom: site.tile_zoom, attribution: "" });
    layer.addTo(map);
  };
  draw();
  scheme.addEventListener("change", draw);
  map.on("unload", () => scheme.removeEventListener("change", draw));
}

function loadDrawer() {
  loading ??= new Promise((resolve, reject) => {
    const script = make("script", { src: DRAWER });
    script.addEventListener("load", () => resolve(window.protomapsL));
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return loading;
}
