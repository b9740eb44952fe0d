// A crawl, live or finished: figures, harvest curve, frontier, hosts, nodes, workers, pages on the map.

import { ask } from "./api.js";
import { Chart, joined } from "./charts.js";
import { count, cut, foreign, inside, make, replace, share, table } from "./dom.js";
import { explain } from "./explain.js";
import { crawlExports } from "./exports.js";
import { Following } from "./following.js";
import { Legend, outlineText } from "./legend.js";
import { drawArea, openMap } from "./map.js";
import { problemBox } from "./problems.js";
import { PageDots } from "./dots.js";
import { Steering } from "./steering.js";
import { workersSection } from "./workers.js";

const TABLES_MILLISECONDS = 4000;
const LEGEND = [
  ["dot-relevant", "a relevant page, at the surest point it has"],
  ["dot-other", "another page"],
];
const MOST_CURVES = 6;

export function open(screen, parameters, site, go) {
  if (!site.crawls.length) {
    replace(screen, make("h1", {}, "No crawl is here yet"), make("p", {}, inside("/new", {}, "Begin one"), ", or see the reports under Compare."));
    return undefined;
  }
  const view = new CrawlView(screen, parameters.crawl || site.crawls[0].crawl, site, go);
  view.start();
  return () => view.close();
}

class CrawlView {
  constructor(screen, crawl, site, go) {
    this._crawl = crawl;
    this._steering = new Steering(crawl, { begins: () => go(location.pathname + location.search, { instead: true }) });
    this._build(screen);
    this._map = openMap(this._mapElement, site);
    this._legend = new Legend(this._map, LEGEND, { hasTiles: Boolean(site.tiles) });
    this._dots = new PageDots(this._map, crawl);
    this._curves = [crawl, ...rivals(crawl, site.crawls)].slice(0, MOST_CURVES);
    this._harvest = new Chart(this._harvestElement, { x: "responses", y: "relevant pages", lines: this._curves.map((label) => ({ label })), format: count });
    this._found = new Chart(this._foundElement, { x: "responses", y: "entries", lines: this._curves.map((label) => ({ label })), format: count });
    this._rate = new Chart(this._rateElement, { x: "minutes since the start", y: "responses a second", lines: [{ label: "responses a second" }], format: (value) => Number(value).toFixed(value < 10 ? 1 : 0) });
    this._priorities = new Chart(this._prioritiesElement, { x: "priority", y: "waiting requests", lines: [{ label: "waiting requests" }], format: count, bars: true, empty: "nothing waits" });
  }

  _build(screen) {
    this._state = make("span", { class: "live", role: "status" }, "…");
    this._about = make("span", { class: "faint" });
    this._tiles = make("div", { class: "tiles" });
    this._harvestElement = make("div", { class: "chart" });
    this._foundElement = make("div", { class: "chart" });
    this._foundCard = card("New entries of the directory", this._foundElement);
    this._foundCard.hidden = true; // until there is a directory
    this._rateElement = make("div", { class: "chart" });
    this._prioritiesElement = make("div", { class: "chart" });
    this._mapElement = make("div", { class: "map" });
    this._slow = make("div", {});
    this._hosts = make("div", { class: "hosts" });
    this._nodes = make("section", { class: "card wide", hidden: true });
    this._workers = make("section", { class: "card wide workers", hidden: true });
    this._best = make("div", {});
    this._tallies = make("div", {});
    screen.append(
      make("div", { class: "head" }, make("h1", {}, foreign(this._crawl)), this._state, this._about),
      this._steering.element,
      this._tiles,
      make(
        "div",
        { class: "grid" },
        card("Harvest", this._harvestElement),
        this._foundCard,
        card("Pages on the map", this._mapElement),
        card("Speed", this._rateElement),
        card("Frontier by priority", this._prioritiesElement),
        card("Why is it not faster?", this._slow),
        card("Failures, and links left out", this._tallies),
        this._nodes,
        this._workers,
        card("Hosts and what they wait for", this._hosts),
        card("Next in the frontier", this._best),
        make("section", { class: "card wide" }, make("h2", {}, "Export"), crawlExports(this._crawl)),
      ),
    );
  }

  start() {
    this._drawRegion();
    this._following = new Following(this._crawl, {
      status: (status) => this._showStatus(status),
      pages: (pages) => this._dots.add(pages),
      end: () => this._finish(),
      lost: () => this._lost(),
    });
    this._refresh();
    this._timer = setInterval(() => this._refresh(), TABLES_MILLISECONDS);
  }

  close() {
    this._following?.close();
    this._steering.close();
    clearInterval(this._timer);
    for (const chart of [this._harvest, this._found, this._rate, this._priorities]) chart.close();
    this._map.remove();
  }

  _finish() {
    clearInterval(this._timer);
    this._refresh();
  }

  _lost() {
    this._state.classList.remove("on");
    this._state.classList.add("lost");
    const since = this._heard ? `; these are the figures of ${this._heard.toLocaleTimeString("en-GB")}` : "";
    this._state.textContent = `the server does not answer${since}`;
  }

  async _drawRegion() {
    try {
      const region = await ask("region", { crawl: this._crawl });
      const area = drawArea(this._map, region);
      this._legend.outline(outlineText(region, "the region"));
      this._map.fitBounds(area.getBounds().pad(1.2), { maxZoom: 9, animate: false });
    } catch {
      // A region that cannot be drawn is still named above.
    }
  }

  _showStatus(status) {
    this._running = status.running;
    this._heard = new Date();
    this._state.classList.remove("lost");
    this._state.textContent = status.state;
    this._state.classList.toggle("on", status.running);
    const parts = [status.region.join("; "), status.strategy, status.collaboration].filter(Boolean);
    const trouble = status.index_trouble && `search is behind this crawl: ${status.index_trouble}`;
    const notes = [trouble, status.barren].filter(Boolean).map((note) => make("p", { class: "problem" }, foreign(note, 300)));
    replace(this._about, foreign(parts.join(" · "), 200), ...notes);
    const tiles = [
      ["responses", count(status.visits)],
      ["pages", count(status.pages)],
      ["relevant", count(status.relevant)],
      ["harvest", share(status.harvest)],
      ["a second", status.pages_per_second.toFixed(1)],
      ["waiting", count(status.frontier)],
      ["hosts", count(status.hosts)],
      ["given up", count(status.given_up)],
      ...(status.entries === null ? [] : [["entries", count(status.entries)]]),
    ];
    replace(this._tiles, tiles.map(([name, value]) => make("div", { class: "tile" }, make("b", {}, value), make("span", {}, name))));
    const tally = (title, counts) =>
      table(
        [{ title, cell: ([name]) => foreign(name) }, { title: "count", class: "number-cell", cell: ([, number]) => count(number) }],
        Object.entries(counts),
        "none",
      );
    replace(this._tallies, tally("HTTP status", status.statuses), tally("failures", status.failures), tally("links left out", status.links_left_out));
  }

  async _refresh() {
    const asked = { crawl: this._crawl };
    const jobs = [
      this._drawCurves(),
      ask("slowness", asked).then((found) => this._showSlowness(found)),
      ask("hosts", { ...asked, limit: 60 }).then((found) => this._showHosts(found)),
      ask("nodes", asked).then((found) => this._showNodes(found)),
      ask("workers", asked).then((found) => this._showWorkers(found)),
      ask("frontier", { ...asked, limit: 25 }).then((found) => this._showFrontier(found)),
    ];
    const failed = (await Promise.allSettled(jobs)).find((job) => job.status === "rejected");
    if (failed && !this._state.classList.contains("lost")) replace(this._slow, problemBox(failed.reason));
  }

  async _drawCurves() {
    const curves = await Promise.all(this._curves.map((crawl) => ask("curve", { crawl })));
    this._harvest.show(joined(curves.map((curve) => [[0, ...curve.visits], [0, ...curve.relevant]])));
    this._foundCard.hidden = !curves[0].entries.length;
    if (curves[0].entries.length) {
      const known = curves.map((curve) => (curve.entries.length ? [[0, ...curve.visits], [0, ...curve.entries]] : [[], []]));
      this._found.show(joined(known));
    }
    this._rate.show(rates(curves[0]));
  }

  _showSlowness(found) {
    const reasons = Object.entries(found.waiting_for).map(([reason, requests]) =>
      make("span", { class: "badge plain" }, foreign(reason), ` ${count(requests)}`),
    );
    const causes = found.causes.map((cause) => make("li", {}, foreign(cause.sentence), meter(cause.share)));
    const ready = `${count(found.hosts_ready)} hosts could be asked right now; a response takes ${found.answer_seconds.toFixed(2)} s.`;
    replace(
      this._slow,
      make("div", { class: "reasons" }, reasons),
      make("p", { class: "faint" }, ready),
      causes.length ? make("ul", { class: "causes" }, causes) : make("p", {}, this._running ? "Nothing holds it up: what waits is ready to be asked." : "It is not running; geoscout resume would go on with what waits."),
    );
  }

  _showHosts(hosts) {
    const columns = [
      { title: "host", cell: (host) => foreign(host.host, 80) },
      { title: "waiting", class: "number-cell", cell: (host) => count(host.waiting) },
      { title: "done", class: "number-cell", cell: (host) => count(host.done) },
      { title: "failed", class: "number-cell", cell: (host) => count(host.failed) },
      { title: "waits for", cell: (host) => waitsFor(host) },
    ];
    if (hosts.some((host) => this._steering.hostButton(host.host))) {
      columns.push({ title: "control", quiet: true, cell: (host) => this._steering.hostButton(host.host) });
    }
    const focused = this._hosts.contains(document.activeElement) && document.activeElement.dataset.host;
    replace(this._hosts, table(columns, hosts));
    if (focused) this._hosts.querySelector(`[data-host="${CSS.escape(focused)}"]`)?.focus();
  }

  _showNodes(nodes) {
    this._nodes.hidden = nodes.length < 2;
    const columns = [
      { title: "node", cell: (node) => foreign(node.node || "–") },
      { title: "responses", class: "number-cell", cell: (node) => count(node.visits) },
      { title: "pages", class: "number-cell", cell: (node) => count(node.pages) },
      { title: "relevant", class: "number-cell", cell: (node) => count(node.relevant) },
      { title: "harvest", class: "number-cell", cell: (node) => share(node.harvest) },
      { title: "waiting", class: "number-cell", cell: (node) => count(node.waiting) },
    ];
    replace(this._nodes, make("h2", {}, "Nodes"), table(columns, nodes));
  }

  _showWorkers(found) {
    const content = workersSection(found);
    this._workers.hidden = content === null;
    replace(this._workers, content ?? []);
  }

  _showFrontier(found) {
    this._priorities.show([placesOf(found.bins), found.bins.map((bin) => bin.requests)]);
    const columns = [
      { title: "priority", class: "number-cell", cell: (request) => request.priority.toPrecision(3) },
      { title: "URL", cell: (request) => foreign(cut(request.url, 110)) },
      { title: "reason", quiet: true, cell: (request) => this._whyButton(request.url) },
    ];
    replace(this._best, table(columns, found.best, "nothing waits"));
  }

  _whyButton(url) {
    return make("button", { type: "button", class: "link", onclick: () => explain(this._crawl, url) }, "why?");
  }
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}

function meter(part) {
  const filled = make("i", {});
  filled.style.width = `${Math.round(100 * part)}%`;
  return make("div", { class: "meter" }, filled);
}

function waitsFor(host) {
  if (host.reason === "nothing") return make("span", { class: "faint" }, "nothing left");
  const later = host.seconds === null ? ", for good" : host.seconds > 0 ? `, ${host.seconds.toFixed(0)} s` : "";
  return make("span", {}, foreign(host.reason), later);
}

/** The other crawls of the same region: curves of different regions say nothing about each other. */
function rivals(crawl, crawls) {
  const regionOf = (name) => crawls.find((one) => one.crawl === name)?.region.join("; ");
  return crawls.map((one) => one.crawl).filter((name) => name !== crawl && regionOf(name) === regionOf(crawl));
}

/** Where bars stand: the first and last at the lowest and highest priority itself, which many have. */
function placesOf(bins) {
  if (bins.length < 2) return bins.map((bin) => bin.low);
  const [low, high] = [bins[0].low, bins.at(-1).high];
  return bins.map((_bin, at) => low + ((high - low) * at) / (bins.length - 1));
}

/** Responses a second over the time of the crawl, smoothed over several points. */
function rates(curve) {
  const times = [];
  const speeds = [];
  const reach = Math.max(1, Math.floor(curve.visits.length / 40));
  for (let at = reach; at < curve.visits.length; at += 1) {
    const seconds = curve.seconds[at] - curve.seconds[at - reach];
    if (seconds <= 0 || curve.seconds[at] / 60 <= (times.at(-1) ?? -1)) continue;
    times.push(curve.seconds[at] / 60);
    speeds.push((curve.visits[at] - curve.visits[at - reach]) / seconds);
  }
  return [times, speeds];
}
