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
    return make("section", { class: "card" }, make("h2", {}, words(measure)), make("div", { class: "bars" }, bars));
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

/** Every run, with the columns that were chosen; what all runs have in common is said once above. */
function runTable(runs) {
  const { common, differing } = columnsOf(runs);
  const shown = new Set(differing.filter((name) => FIRST.includes(name)));
  const place = make("div", {});
  const draw = () => replace(place, runsAs(differing.filter((name) => shown.has(name)), runs));
  const choice = (name) => {
    const box = make("input", { type: "checkbox", checked: shown.has(name) });
    box.addEventListener("change", () => {
      box.checked ? shown.add(name) : shown.delete(name);
      draw();
    });
    return make("label", {}, box, words(name));
  };
  draw();
  const same = common.filter((name) => FIRST.includes(name) && cell(runs[0][name]) && cell(runs[0][name]) !== "none");
  return make(
    "div",
    {},
    runs.length > 1 && same.length ? make("p", { class: "faint" }, "The same in all runs: ", foreign(same.map((name) => `${words(name)} ${cell(runs[0][name])}`).join(", "), 300)) : null,
    make("details", { class: "chooser" }, make("summary", {}, "Columns"), make("div", { class: "choices" }, differing.map(choice))),
    place,
  );
}

/** The plain columns of runs: those with one value only, and the others; the well-known ones first. */
function columnsOf(runs) {
  const isPlain = (value) => value === null || typeof value !== "object";
  const names = [...new Set([...FIRST, ...runs.flatMap(Object.keys)])].filter((name) => runs.some((run) => name in run && isPlain(run[name])));
  const isCommon = (name) => runs.length > 1 && name !== "strategy" && new Set(runs.map((run) => run[name])).size === 1;
  return { common: names.filter(isCommon), differing: names.filter((name) => !isCommon(name)) };
}

function runsAs(names, runs) {
  const columns = names.map((name) => ({
    title: words(name),
    class: runs.some((run) => typeof run[name] === "number") ? "number-cell" : undefined,
    cell: (run) => foreign(cell(run[name]), 80),
  }));
  return table(columns, runs.slice(0, 500));
}

const words = (name) => (name === "auc" ? "area under the curve" : name.replaceAll("_", " "));

function cell(value) {
  if (typeof value === "number") return Number.isInteger(value) ? count(value) : value.toFixed(4);
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

function settings(given) {
  const rows = Object.entries(given).filter(([, value]) => value !== "" && value !== null && value !== false);
  return rows.flatMap(([name, value]) => [make("dt", {}, words(name)), make("dd", {}, readable(name, value))]);
}

/** A setting for people: a command as one writes it, lists as lists, records as names with values. */
function readable(name, value) {
  if (name === "command" && Array.isArray(value)) return make("code", {}, foreign(value.map(quoted).join(" "), 2000));
  if (Array.isArray(value)) return make("ul", {}, value.map((one) => make("li", {}, readable("", one))));
  if (value && typeof value === "object") return foreign(Object.entries(value).map(([key, one]) => `${words(key)} ${typeof one === "number" ? count(one) : one}`).join(", "), 500);
  return foreign(value === true ? "yes" : value, 500);
}

function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
