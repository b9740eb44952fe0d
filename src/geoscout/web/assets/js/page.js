// One page: what is known, why it is about its place, its text with places marked, links, copy.

import { ask } from "./api.js";
import { address, count, foreign, inside, make, outside, plural, replace, share, table } from "./dom.js";
import { addressLine, entryAddress } from "./entries.js";
import { explain } from "./explain.js";
import { Legend } from "./legend.js";
import { lookAt, openMap } from "./map.js";
import { pageText } from "./page_text.js";
import { isExact, precisionNoun, precisionText } from "./precision.js";
import { problemBox, showProblem } from "./problems.js";

const MOST_ENTRIES = 30;
const WIDE = new Set(["country", "region"]);
const PARTS = { main: "text", navigation: "menu", header: "header", footer: "footer", aside: "sidebar", address: "address" };
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
    this._entries = make("div", { hidden: true });
    this._related = make("div", { hidden: true });
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
          card("Why", because(found.why), this._whyFetched(visit)),
          card("Text, with its places", pageText(found)),
          card("Links", this._links),
          card("Archived copy", this._copy),
        ),
        make(
          "div",
          { class: "column" },
          card("On the map", mapElement),
          card("About these places", scopeTree(found.places)),
          card("Addresses", addresses(found.addresses)),
          this._entries,
          this._related,
          card("Facts", facts(found)),
        ),
      ),
    );
    this._drawMap(mapElement, found);
    this._showEntries(found.crawl, visit.url);
    this._showRelated(found.crawl, visit.n);
  }

  /** The pages that are related to it by their places; a page the index does not have yet has none. */
  async _showRelated(crawl, n) {
    const found = await ask(`pages/${n}/related`, { crawl }).catch(() => null);
    const list = (title, pages) => pages.length && [make("h3", {}, title), make("ul", { class: "named" }, pages.map((one) => make("li", {}, inside(address("/page", { crawl, url: one.url }), {}, foreign(one.title || one.url, 120)), " ", make("small", { class: "faint" }, foreign(`${one.place.name}, ${one.why}`, 120)))))];
    const lists = found ? [list("Near it", found.near), list("Of places like it", found.alike)].filter(Boolean).flat() : [];
    if (!lists.length) return;
    const browse = inside(address("/places", { crawl, place: found.place.id }), {}, "Browse the places of this crawl");
    replace(this._related, card("Near this page", ...lists, make("p", {}, browse)));
    this._related.hidden = false;
  }

  /** The entries of the directory that the page names. */
  async _showEntries(crawl, page) {
    const found = await ask("directory", { crawl, page, limit: MOST_ENTRIES }).catch(() => null);
    if (!found?.total) return;
    const items = found.entries.map((entry) => make("li", {}, inside(entryAddress(crawl, entry.id), {}, foreign(entry.name, 120)), " ", make("small", { class: "faint" }, foreign(addressLine(entry), 120))));
    const more = found.has_more ? make("p", { class: "faint" }, `and ${count(found.total - items.length)} more`) : null;
    replace(this._entries, card("Entries of the directory", make("ul", { class: "named" }, items), more));
    this._entries.hidden = false;
  }

  _whyFetched(visit) {
    if (!visit.parent) return null;
    const act = () => explain(this._asked.crawl, visit.url);
    return make("button", { type: "button", class: "link", onclick: act }, "Why was it fetched when it was?");
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
    const about = found.places.filter((one) => one.score > 0 && one.kind !== "continent");
    const narrow = about.filter((one) => !WIDE.has(one.kind)); // the middle of a country says little
    for (const place of narrow.length ? narrow : about) {
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
      { title: "where", class: "word", cell: (link) => PARTS[link.part] ?? link.part },
      { title: "state", class: "word", cell: (link) => state(link) },
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
    const note = make("p", { class: "faint" }, "As it was fetched, without scripts, pictures and style sheets of other files: these are not in the archive.");
    replace(this._copy, note, make("iframe", { src: source, sandbox: "", title: "Archived copy", referrerpolicy: "no-referrer", loading: "lazy" }));
  }
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}

/** The reason in one sentence, and the details for those who want them. */
function because([first, ...details]) {
  const list = make("ul", { class: "why-list" }, details.map((sentence) => make("li", {}, foreign(sentence, 500))));
  return make(
    "div",
    {},
    make("p", { class: "because" }, foreign(first, 600)),
    details.length ? make("details", {}, make("summary", {}, "In detail"), list) : null,
  );
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
  const shares = places.filter((place) => place.score > 0);
  const others = places.filter((place) => !(place.score > 0));
  const branch = (node) =>
    make(
      "li",
      {},
      make("span", { title: node.place.path.join(" › ") }, foreign(node.place.name)),
      make("span", { class: "share" }, node.place.score ? share(node.place.score) : node.place.mentions ? "only mentioned" : "on many pages of the site", node.place.mentions ? ` · ${node.place.mentions} ×` : ""),
      node.below.length ? make("ul", {}, node.below.map(branch)) : null,
    );
  const note = "A share is that of a place and of all that lies in it, so those of places inside each other overlap. Places in menus have none.";
  const tree = (some) => make("ul", { class: "scope" }, nested(some).map(branch));
  return make(
    "div",
    {},
    shares.length ? tree(shares) : make("p", { class: "faint" }, "It is not about any of the places it names."),
    make("p", { class: "faint" }, note),
    others.length ? make("details", {}, make("summary", {}, `${plural(others.length, "place")} only mentioned`), tree(others)) : null,
  );
}

/** Places below the narrowest of them that contains them. */
function nested(places) {
  const nodes = places.map((place) => ({ place, below: [] }));
  const roots = [];
  const contains = (a, b) => a.path.length < b.path.length && a.path.every((name, at) => b.path[at] === name);
  for (const node of nodes) {
    const around = nodes.filter((other) => contains(other.place, node.place));
    const narrowest = around.sort((a, b) => b.place.path.length - a.place.path.length)[0];
    (narrowest?.below ?? roots).push(node);
  }
  return roots;
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
