// The map: land and borders from the server's own gazetteer, or tiles where the user named some.

import { ask } from "./api.js";
import { boxOf, Labels } from "./labels.js";
import { decodeRings } from "./outlines.js";
import { addTiles } from "./tiles.js";

const REGIONS_FROM_ZOOM = 4;
const HIGHEST_ZOOM = 16;
let countries = null; // asked for once, for all maps

/** A Leaflet map in `element`, with the base map and panes for what lies on it. */
export function openMap(element, site) {
  const map = L.map(element, {
    center: [25, 5],
    zoom: 2,
    minZoom: 1,
    maxZoom: HIGHEST_ZOOM,
    zoomSnap: 0.5,
    worldCopyJump: false,
    maxBounds: [[-88, -210], [88, 210]],
    maxBoundsViscosity: 0.8,
    attributionControl: false,
  });
  for (const [name, height] of [["land", 210], ["regions", 220], ["area", 380], ["labels", 390]]) {
    map.createPane(name).style.zIndex = height;
    map.getPane(name).style.pointerEvents = "none";
  }
  L.control.scale({ imperial: false }).addTo(map);
  if (site.tiles) addTiles(map, site, HIGHEST_ZOOM);
  else addBaseMap(map);
  watchSize(map, element);
  return map;
}

function addBaseMap(map) {
  const land = L.layerGroup().addTo(map);
  const borders = L.layerGroup().addTo(map);
  const labels = new Labels().addTo(map);
  const onLand = L.canvas({ pane: "land", padding: 0.3 });
  const onRegions = L.canvas({ pane: "regions", padding: 0.3 });
  drawCountries(land, onLand).catch(() => {});
  const known = new Set();
  const more = () => drawRegions(map, borders, onRegions, known).catch(() => {});
  map.on("moveend", more);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const repaint = () => {
    land.eachLayer((shape) => shape.setStyle(landStyle()));
    borders.eachLayer((shape) => shape.setStyle(borderStyle()));
    labels.redraw();
  };
  scheme.addEventListener("change", repaint);
  map.on("unload", () => scheme.removeEventListener("change", repaint));
}

async function drawCountries(group, renderer) {
  countries ??= ask("map/countries").then((found) => found.map((one) => decodeRings(one.rings)));
  for (const rings of await countries) {
    group.addLayer(L.polygon(rings, { ...landStyle(), renderer, interactive: false }));
  }
}

async function drawRegions(map, group, renderer, known) {
  const isNear = map.getZoom() >= REGIONS_FROM_ZOOM;
  if (isNear !== map.hasLayer(group)) isNear ? group.addTo(map) : group.remove();
  if (!isNear) return;
  for (const region of await ask("map/regions", { bbox: boxOf(map.getBounds()) })) {
    if (known.has(region.id)) continue;
    known.add(region.id);
    const rings = decodeRings(region.rings);
    group.addLayer(L.polygon(rings, { ...borderStyle(), renderer, interactive: false }));
  }
}

const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const landStyle = () => ({ color: tone("--map-border"), weight: 0.8, fillColor: tone("--map-land"), fillOpacity: 1 });
const borderStyle = () => ({ color: tone("--map-region"), weight: 0.7, fill: false });

/** An outline (GeoJSON of lines) as a dashed edge; replaces `before`. */
export function drawArea(map, feature, before = null) {
  before?.remove();
  const style = { color: tone("--accent"), weight: 2, dashArray: "5 5", fill: false, interactive: false };
  return L.geoJSON(feature, { style, pane: "area", interactive: false }).addTo(map);
}

/** A dashed circle around a point, as `drawArea` draws an outline. */
export function drawCircle(map, point, kilometres) {
  const style = { color: tone("--accent"), weight: 2, dashArray: "5 5", fill: false, interactive: false };
  return L.circle([point.lat, point.lon], { ...style, pane: "area", radius: kilometres * 1000 }).addTo(map);
}

/** Leaflet must be told when its element grows. */
function watchSize(map, element) {
  const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  observer.observe(element);
  map.on("unload", () => observer.disconnect());
}

/** Look at all of these points; a single one is shown with its surroundings. */
export function lookAt(map, points, { closest = 11 } = {}) {
  if (!points.length) return;
  map.fitBounds(L.latLngBounds(points).pad(0.15), { maxZoom: closest, animate: false });
}
