// A search box and a map for pages of others: <script src="https://SERVER/embed.js"></script> puts them where it stands.
// The server sends this file as a function, with `decodeRings` before it. Texts of pages are only ever text.

const script = document.currentScript;
const base = new URL(script.src);
const { crawl = "", placeholder = "museum in Oldenburg", q = "", tiles = "", height = "24em" } = script.dataset;
const loaded = load("link", { rel: "stylesheet", href: at("/assets/vendor/leaflet.css") })
  .then(() => load("script", { src: at("/assets/vendor/leaflet.js") }));

const words = make("input", { type: "search", placeholder, value: q, maxLength: 1000, style: "width: 100%; box-sizing: border-box" });
words.setAttribute("aria-label", "Search");
const told = make("p", { role: "status" });
const facts = make("ul", { style: "padding-left: 1.2em" });
const hits = make("ol", { style: "padding-left: 2em" });
const box = make("div", { style: `height: ${height}` });
const form = make("form", { onsubmit: (event) => (event.preventDefault(), search()) }, words);
script.after(make("div", { className: "geoscout-embed" }, form, told, box, facts, hits));
const shown = loaded.then(openMap);
if (q) search();

function openMap() {
  const map = L.map(box, { attributionControl: Boolean(tiles) }).setView([25, 5], 2);
  if (tiles) L.tileLayer(tiles, { attribution: script.dataset.attribution ?? "" }).addTo(map);
  else {
    ask("map/countries", {}).then((found) =>
      found.forEach((one) => L.polygon(decodeRings(one.rings), { color: "#999", weight: 0.8, fillColor: "#eee", fillOpacity: 1, interactive: false }).addTo(map).bringToBack()),
    );
  }
  return { map, marks: L.featureGroup().addTo(map) };
}

async function search() {
  told.textContent = "Searching…";
  try {
    const answer = await ask("search", { q: words.value, crawl, limit: 20, facets: false });
    const { reading } = answer;
    const place = reading.relation ? ` ${reading.relation} ${reading.label}` : "";
    told.textContent = [`${answer.total} pages: ${reading.words.join(" ")}${place}`, ...reading.notes, ...answer.entries_notes].join(". ");
    facts.replaceChildren(...answer.facts.map((fact) => make("li", {}, `${fact.kind} of ${fact.name}: `, make("b", {}, fact.value), " (", link(fact.url, (fact.fetched_at ?? "page").slice(0, 10)), ")")));
    hits.replaceChildren(...answer.hits.map((hit) => make("li", {}, link(hit.url, hit.title || hit.url), make("br"), hit.snippet.text.slice(0, 160))));
    draw(await shown, answer.hits);
  } catch (error) {
    told.textContent = error.message;
  }
}

function draw({ map, marks }, found) {
  marks.clearLayers();
  for (const hit of found) {
    const [point] = hit.points;
    if (point) L.circleMarker([point.lat, point.lon], { radius: 7 }).bindPopup(link(hit.url, hit.title || hit.url)).addTo(marks);
  }
  if (marks.getLayers().length) map.fitBounds(marks.getBounds(), { maxZoom: 14 });
}

async function ask(path, parameters) {
  const answer = await fetch(`${at(`/api/v1/${path}`)}?${new URLSearchParams(parameters)}`, { credentials: "omit" });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.detail ?? answer.statusText);
  return found;
}

function at(path) {
  return new URL(path, base).href;
}

function load(tag, properties) {
  return new Promise((done, failed) => document.head.append(make(tag, { ...properties, onload: done, onerror: () => failed(new Error("the map cannot be loaded")) })));
}

function link(url, text) {
  return make("a", /^https?:/.test(url) ? { href: url } : {}, text);
}

function make(tag, properties = {}, ...children) {
  const { style, ...others } = properties;
  const element = Object.assign(document.createElement(tag), others);
  if (style) element.style.cssText = style;
  element.append(...children);
  return element;
}
