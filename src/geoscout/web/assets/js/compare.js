// The reports of `geoscout compare`: figures by strategy, every run, the pictures, the whole report.

import { ask } from "./api.js";
import { address, count, foreign, inside, make, replace, table } from "./dom.js";
import { showProblem } from "./problems.js";

const FIRST = ["strategy", "collaboration", "web", "region", "random_seed", "budget", "harvest", "recall", "auc", "oracle_share"];
const MEASURES = ["harvest", "recall", "auc", "oracle_share"];

export function open(screen, parameters) {
  show(screen, parameters).catch((error) => showProblem(screen, error, () => open(screen, parameters)));
}

async function show(screen, parameters) {
  const reports = await ask("reports");
  if (!reports.length) {
    replace(screen, welcome());
    return;
  }
  const name = parameters.report || reports[0].name;
  const report = await ask(`reports/${encodeURIComponent(name)}`);
  const runs = Array.isArray(report.results.runs) ? report.results.runs : [];
  const list = reports.map((one) =>
    inside(address("/compare", { report: one.name }), { "aria-current": one.name === name ? "page" : null }, foreign(one.name), ` · ${count(one.runs)} runs`),
  );
  const file = (chosen) => `/api/reports/${encodeURIComponent(name)}/${encodeURIComponent(chosen)}`;
  const pictures = report.files.filter((one) => one.endsWith(".png"));
  replace(
    screen,
    make("h1", {}, "Strategies compared"),
    make("div", { class: "reports" }, list),
    make("div", { class: "grid" }, ...measures(runs)),
    runs.length ? section("Every run", runTable(runs)) : null,
    pictures.length ? section("Pictures", make("div", { class: "pictures" }, pictures.map((one) => make("a", { href: file(one), target: "_blank" }, make("img", { src: file(one), alt: one, loading: "lazy" }))))) : null,
    report.files.includes("report.html")
      ? section("The report", make("iframe", { src: file("report.html"), sandbox: "allow-scripts", title: "The report", loading: "lazy" }))
      : null,
    section("Settings", make("dl", { class: "facts" }, settings(report.results.settings ?? {}))),
  );
}

function section(title, ...content) {
  return make("section", { class: "card wide" }, make("h2", {}, title), ...content);
}

function welcome() {
  return make(
    "div",
    { class: "empty" },
    make("h1", {}, "No report is served here"),
    make("p", {}, "Make one with ", make("code", {}, "geoscout compare --out reports/first"), " and serve its folder: ", make("code", {}, "geoscout serve reports"), "."),
  );
}

/** The mean of each measure by strategy, as bars. */
function measures(runs) {
  return MEASURES.map((measure) => {
    const means = meansBy(runs, measure);
    if (!means.length) return null;
    const most = Math.max(...means.map(([, mean]) => mean), 1e-9);
    const bars = means.flatMap(([name, mean]) => {
      const filled = make("i", {});
      filled.style.width = `${Math.round((100 * mean) / most)}%`;
      return [foreign(name), make("div", { class: "meter" }, filled), make("span", {}, mean.toFixed(3))];
    });
    return make("section", { class: "card" }, make("h2", {}, measure.replace("_", " ")), make("div", { class: "bars" }, bars));
  }).filter(Boolean);
}

function meansBy(runs, measure) {
  const sums = new Map();
  for (const run of runs) {
    const value = run[measure];
    if (typeof value !== "number") continue;
    const name = [run.strategy, run.collaboration].filter((part) => part && part !== "none").join(" · ");
    const [sum, number] = sums.get(name) ?? [0, 0];
    sums.set(name, [sum + value, number + 1]);
  }
  return [...sums].map(([name, [sum, number]]) => [name, sum / number]).sort((a, b) => b[1] - a[1]);
}

function runTable(runs) {
  const isPlain = (value) => value === null || typeof value !== "object";
  const names = [...new Set([...FIRST, ...runs.flatMap(Object.keys)])].filter((name) => runs.some((run) => name in run && isPlain(run[name])));
  const columns = names.map((name) => ({
    title: name.replaceAll("_", " "),
    class: runs.some((run) => typeof run[name] === "number") ? "number-cell" : undefined,
    cell: (run) => foreign(cell(run[name]), 80),
  }));
  return table(columns, runs.slice(0, 500));
}

function cell(value) {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(4);
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

function settings(given) {
  return Object.entries(given).flatMap(([name, value]) => [
    make("dt", {}, name.replaceAll("_", " ")),
    make("dd", {}, foreign(typeof value === "object" ? JSON.stringify(value) : value, 1000)),
  ]);
}
