// One page: what is known, why it is about its place, its text with places marked, links, copy.

import { ask } from "./api.js";
import { address, count, foreign, inside, make, marked, outside, replace, share, table } from "./dom.js";
import { explain } from "./explain.js";
import { Legend } from "./legend.js";
import { lookAt, openMap } from "./map.js";
import { isExact, precisionNoun, precisionText } from "./precision.js";
import { problemBox, showProblem } from "./problems.js";

const LEGEND = [
  ["circle-place", "a place it is about; the larger, the more"],
  ["circle-address", "an address, at its house or street"],
  ["circle-rough", "an address of which only postal code or town is known"],
];

export function open(screen, parameters, site) {
  const view = new PageView(screen, parameters, site);
  view.start();
  return () => view.close();
}

class PageView {
  constructor(screen, parameters, site) {
    this._screen = screen;
    this._site = site;
    this._asked = { crawl: parameters.crawl, url: parameters.url, n: parameters.n };
  }

  async start() {
    if (!this._asked.url && !this._asked.n) {
      replace(this._screen, make("h1", {}, "No page was named"), make("p", {}, "Open a page from a search or from the map of a crawl."));
      return;
    }
    try {
      this._show(await ask("page", this._asked));
    } catch (error) {
      showProblem(this._screen, error, () => this.start());
    }
  }

  close() {
    this._map?.remove();
  }

  _show(found) {
    const { visit } = found;
    document.title = `geoscout · ${visit.title.slice(0, 80) || "page"}`;
    const mapElement = make("div", { class: "map" });
    this._links = make("div", {}, make("button", { type: "button", onclick: () => this._showLinks() }, "Show the links"));
    this._copy = make("div", {}, make("button", { type: "button", onclick: () => this._showCopy(visit.n) }, "Show the archived copy"));
    replace(
      this._screen,
      make("div", { class: "head" }, make("h1", {}, foreign(visit.title || "(no title)", 300)), relevance(visit)),
      make("p", {}, outside(visit.url)),
      make(
        "div",
        { class: "columns" },
        make(
          "div",
          { class: "column" },
          card("Why we think so", make("ul", { class: "why-list" }, found.why.map((sentence) => make("li", {}, foreign(sentence, 500)))), this._whyFetched(visit)),
          card("Text, with its places", this._text(found)),
          card("Links", this._links),
          card("Archived copy", this._copy),
        ),
        make(
          "div",
          { class: "column" },
          card("On the map", mapElement),
          card("About these places", scopeTree(found.places)),
          card("Addresses", addresses(found.addresses)),
          card("Facts", facts(found)),
        ),
      ),
    );
    this._drawMap(mapElement, found);
  }

  _whyFetched(visit) {
    if (!visit.parent) return null;
    const act = () => explain(this._asked.crawl, visit.url);
    return make("button", { type: "button", class: "link", onclick: act }, "Why was it fetched when it was?");
  }

  _text(found) {
    if (found.note) return make("p", { class: "faint" }, found.note);
    const decorate = (mark, text) => make("mark", { class: mark.kind, title: mark.label, data: { place: mark.id } }, make("bdi", {}, text));
    const text = make("div", { class: "text", tabindex: 0, dir: "auto" }, marked(found.text, found.marks, decorate));
    return make("div", {}, text, found.text_is_cut ? make("p", { class: "faint" }, "The text goes on; it is cut here.") : null);
  }

  _drawMap(element, found) {
    this._map = openMap(element, this._site);
    const points = [];
    const add = (place, style, text) => {
      const dot = L.circleMarker([place.lat, place.lon], { ...style, weight: 2 }).addTo(this._map);
      dot.bindTooltip(make("bdi", {}, text.slice(0, 120)));
      points.push([place.lat, place.lon]);
    };
    const colours = getComputedStyle(document.documentElement);
    const tone = (name) => colours.getPropertyValue(name).trim();
    for (const place of found.places.filter((one) => one.score > 0 && one.kind !== "continent")) {
      add(place, { radius: 4 + 6 * place.score, color: tone("--accent") }, `${place.name} ${share(place.score)}`);
    }
    for (const place of found.addresses.filter((one) => one.lat !== null)) {
      const isRough = !isExact(place.precision);
      const style = { radius: 6, color: tone("--warn"), fillOpacity: isRough ? 0 : 0.7, dashArray: isRough ? "3 3" : null };
      add(place, style, `${place.text} (${precisionText(place)})`);
    }
    new Legend(this._map, LEGEND, { hasTiles: Boolean(this._site.tiles) });
    lookAt(this._map, points, { closest: 10 });
  }

  async _showLinks() {
    replace(this._links, make("p", { class: "faint" }, "Looking…"));
    try {
      replace(this._links, this._linkTables(await ask("links", this._asked)));
    } catch (error) {
      replace(this._links, problemBox(error));
    }
  }

  _linkTables(found) {
    const { crawl } = this._asked;
    const columns = [
      { title: "score", class: "number-cell", cell: (link) => (link.priority === null ? "–" : link.priority.toPrecision(3)) },
      { title: "link", cell: (link) => make("div", {}, foreign(link.anchor || "(no text)", 120), make("br", {}), this._target(link)) },
      { title: "part", cell: (link) => link.part },
      { title: "state", cell: (link) => state(link) },
    ];
    const sorted = [...found.out].sort((a, b) => (b.priority ?? -1e300) - (a.priority ?? -1e300));
    const into = found.into.map((url) => make("li", {}, inside(address("/page", { crawl, url }), {}, foreign(url, 140))));
    const looked = found.looked_at < found.pages ? ` (looked at ${count(found.looked_at)} of ${count(found.pages)} pages)` : "";
    return [
      make("h3", {}, `${count(found.out_total)} links of this page`),
      table(columns, sorted, "it has no links"),
      make("h3", {}, `Links to it${looked}`),
      into.length ? make("ul", { class: "into" }, into) : make("p", { class: "faint" }, "none found"),
    ];
  }

  _target(link) {
    const { crawl } = this._asked;
    const shown = make("small", {}, link.state === "fetched" ? inside(address("/page", { crawl, url: link.url }), {}, foreign(link.url, 120)) : outside(link.url));
    const why = link.priority !== null;
    return why ? make("span", {}, shown, " ", make("button", { type: "button", class: "link", onclick: () => explain(crawl, link.url) }, make("small", {}, "why?"))) : shown;
  }

  _showCopy(n) {
    const source = address("/api/copy", { crawl: this._asked.crawl, n });
    replace(this._copy, make("iframe", { src: source, sandbox: "", title: "Archived copy", referrerpolicy: "no-referrer", loading: "lazy" }));
  }
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}

function relevance(visit) {
  if (!visit.is_page) return make("span", { class: "badge bad" }, `status ${visit.status}`);
  return make("span", { class: visit.relevant ? "badge good" : "badge plain" }, visit.relevant ? "relevant" : "not relevant");
}

function state(link) {
  if (link.state !== "fetched") return link.state;
  return make("span", { class: link.relevant ? "badge good" : "badge plain" }, link.relevant ? "relevant" : `fetched, ${link.status}`);
}

/** The places of a page below those that contain them. */
function scopeTree(places) {
  if (!places.length) return make("p", { class: "faint" }, "It names no place we know.");
  const known = new Map(places.map((place) => [place.id, { place, below: [] }]));
  const roots = [];
  for (const node of known.values()) (known.get(node.place.parent)?.below ?? roots).push(node);
  const branch = (node) =>
    make(
      "li",
      {},
      make("span", { title: node.place.path.join(" › ") }, foreign(node.place.name)),
      make("span", { class: "share" }, node.place.score ? share(node.place.score) : node.place.mentions ? "only mentioned" : "on many pages of the site", node.place.mentions ? ` · ${node.place.mentions} ×` : ""),
      node.below.length ? make("ul", {}, node.below.map(branch)) : null,
    );
  return make("ul", { class: "scope" }, roots.map(branch));
}

function addresses(found) {
  const columns = [
    { title: "address", cell: (one) => foreign(one.text, 160) },
    { title: "country", cell: (one) => one.country },
    { title: "placed by", cell: (one) => precisionNoun(one.precision) },
    { title: "from", cell: (one) => (one.of_site ? `${one.source}, the site's` : one.source) },
    { title: "in the region", quiet: true, cell: (one) => (one.inside ? make("span", { class: "badge good" }, "inside") : "") },
  ];
  return table(columns, found, "none");
}

function facts(found) {
  const { visit } = found;
  const rows = [
    ["response", `${count(visit.n)}, status ${visit.status}`],
    ["fetched", `${visit.fetched_at.slice(0, 19).replace("T", " ")} UTC, in ${visit.seconds.toFixed(2)} s`],
    ["size", `${count(visit.size)} bytes`],
    ["language", visit.language || "not stated"],
    ["priority", String(Number(visit.priority.toPrecision(4)))],
    ["depth", `${visit.depth} from a seed, ${visit.distance} from a relevant page`],
    ["node", visit.node],
    ["fetched times", String(found.visits)],
  ];
  const shown = rows.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, foreign(value))]);
  if (visit.parent) {
    shown.push(make("dt", {}, "found on"), make("dd", {}, inside(address("/page", { crawl: found.crawl, url: visit.parent }), {}, foreign(visit.parent, 160))));
  }
  return make("dl", { class: "facts" }, shown);
}
