// One entry of the directory: what it is, which page says what, where pages disagree, what has changed.

import { ask } from "./api.js";
import { address, foreign, inside, make, outside, plural, replace, table } from "./dom.js";
import { addressLine, categoryBadges, categoryName, entryAddress, mailLink, phoneLinks, placedBy, shortened, sourcesText } from "./entries.js";
import { Legend } from "./legend.js";
import { lookAt, openMap } from "./map.js";
import { isExact } from "./precision.js";
import { showProblem } from "./problems.js";

const FIELDS = { name: "Name", address: "Address", phones: "Telephone", mails: "Mail", hours: "Opening hours", opening_hours: "Opening hours", website: "Website", categories: "Category" };
const EVIDENCE = { line: "a line near the address", heading: "a heading", title: "the title of the page", site: "the name of the site" };
const LEGEND = [
  ["circle-address", "at its house or street"],
  ["circle-rough", "only its postal code or town is known"],
];

export function open(screen, parameters, site) {
  const view = new EntryView(screen, parameters, site);
  view.start();
  return () => view.close();
}

class EntryView {
  constructor(screen, parameters, site) {
    this._screen = screen;
    this._site = site;
    this._crawl = parameters.crawl;
    this._id = parameters.id;
  }

  async start() {
    if (!this._id) {
      replace(this._screen, make("h1", {}, "No entry was named"), make("p", {}, inside("/directory", {}, "Open the directory")));
      return;
    }
    try {
      const found = await ask(`directory/${encodeURIComponent(this._id)}`, { crawl: this._crawl });
      if (!this._gone) this._show(found);
    } catch (error) {
      if (!this._gone) showProblem(this._screen, error, () => this.start());
    }
  }

  close() {
    this._gone = true;
    this._map?.remove();
  }

  _show(found) {
    document.title = `geoscout · ${found.name.slice(0, 80)}`;
    const mapElement = make("div", { class: "map", role: "region", "aria-label": "Map" });
    replace(
      this._screen,
      make("p", { class: "faint" }, inside(address("/directory", { crawl: this._crawl }), {}, "Directory")),
      make("div", { class: "head" }, make("h1", {}, foreign(found.name, 300)), make("span", {}, categoryBadges(found.categories))),
      found.gone ? this._goneBox(found) : null,
      make(
        "div",
        { class: "columns" },
        make(
          "div",
          { class: "column" },
          card("What is known", facts(found)),
          Object.keys(found.contradictions).length ? card("Where pages disagree", contradictions(found, this._crawl)) : null,
          card("Which page says what", this._statements(found)),
          found.merged.length ? card("Why these pages are about the same thing", merged(found)) : null,
        ),
        make("div", { class: "column" }, card("On the map", mapElement, make("p", { class: "faint" }, placedBy(found))), card("History", history(found))),
      ),
    );
    this._drawMap(mapElement, found);
  }

  _goneBox(found) {
    const next = found.followed_by ? [" It is ", inside(entryAddress(this._crawl, found.followed_by), {}, "another entry"), " now."] : [];
    return make("p", { class: "problem" }, "No page names it any more. This is what pages said last.", next);
  }

  _statements(found) {
    const columns = [
      { title: "page", cell: (said) => this._pageCell(said) },
      { title: "name", cell: (said) => foreign(said.name, 160) },
      { title: "address", cell: (said) => foreign(addressLine(said), 160) },
      { title: "telephone", class: "word", cell: (said) => foreign(said.phones.join(", "), 80) },
      { title: "hours", cell: (said) => foreign(said.opening_hours, 160) },
      { title: "name from", cell: (said) => EVIDENCE[said.evidence] ?? said.evidence },
    ];
    return table(columns, found.said);
  }

  _pageCell(said) {
    const link = inside(address("/page", { crawl: this._crawl, url: said.url }), {}, foreign(shortened(said.url), 90));
    const own = said.own_site ? make("span", { class: "badge good" }, "own site") : null;
    return make("span", {}, link, " ", own, said.fetched_at ? make("span", { class: "faint word" }, ` ${said.fetched_at.slice(0, 10)}`) : null);
  }

  _drawMap(element, found) {
    this._map = openMap(element, this._site);
    new Legend(this._map, LEGEND, { hasTiles: Boolean(this._site.tiles) });
    if (found.lat === null) return;
    const tone = getComputedStyle(document.documentElement).getPropertyValue("--warn").trim();
    const isRough = !isExact(found.precision);
    L.circleMarker([found.lat, found.lon], { radius: 8, weight: 2, color: tone, fillOpacity: isRough ? 0 : 0.7, dashArray: isRough ? "3 3" : null }).addTo(this._map);
    lookAt(this._map, [[found.lat, found.lon]], { closest: isRough ? 10 : 13 });
  }
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}

function facts(found) {
  const list = (parts) => parts.flatMap((part, at) => (at ? [", ", part] : [part]));
  const rows = [
    ["address", addressLine(found) ? [foreign(addressLine(found), 300)] : []],
    ["telephone", list(phoneLinks(found))],
    ["mail", list(found.mails.map(mailLink))],
    ["opening hours", found.opening_hours ? [foreign(found.opening_hours, 300)] : []],
    ["category", found.categories.length ? [found.categories.map(categoryName).join(", ")] : []],
    ["website", found.website ? [outside(found.website, shortened(found.website))] : []],
    ["named by", [sourcesText(found)]],
    ["first seen", [found.first_seen.slice(0, 10)]],
  ];
  const known = rows.filter(([, value]) => value.length);
  return make("dl", { class: "facts" }, known.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function contradictions(found, crawl) {
  return Object.entries(found.contradictions).map(([field, values]) => {
    const items = values.map((one, at) =>
      make("li", {}, at ? null : make("span", { class: "badge good" }, "chosen"), foreign(one.value, 200), " ", make("small", {}, inside(address("/page", { crawl, url: one.url }), {}, foreign(shortened(one.url), 90)))),
    );
    return make("div", { class: "disagree" }, make("h3", {}, FIELDS[field] ?? field), make("ul", {}, items));
  });
}

function merged(found) {
  const items = found.merged.map((one) => make("li", {}, foreign(one.why, 200), make("small", { class: "faint" }, " ", foreign(shortened(one.one), 80), " and ", foreign(shortened(one.other), 80))));
  const list = make("ul", { class: "why-list" }, items);
  return items.length > 5 ? make("details", {}, make("summary", {}, plural(items.length, "reason")), list) : list;
}

function history(found) {
  const first = [{ at: found.first_seen, what: "first seen" }];
  const items = [...first, ...found.history].map((change) => make("li", {}, make("span", { class: "word" }, change.at.slice(0, 10)), " ", changeText(change)));
  return make("ul", { class: "why-list" }, items);
}

function changeText(change) {
  if (!change.field) return change.what;
  const name = FIELDS[change.field] ?? change.field;
  if (!change.before) return [`${name} added: `, foreign(change.after, 200)];
  if (!change.after) return [`${name} no longer given: `, foreign(change.before, 200)];
  return [`${name}: `, foreign(change.before, 200), " → ", foreign(change.after, 200)];
}
