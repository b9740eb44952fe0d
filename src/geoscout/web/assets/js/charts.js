// Curves and bars with uPlot, in the colours of the page, with the values under the pointer below.

import { make, replace } from "./dom.js";

const HEIGHT = 260;
const LINES = ["#0b6e99", "#c46a00", "#1f7a4d", "#8a3ffc", "#a3261d", "#5c666e"];
const LINES_DARK = ["#53b6de", "#f0b45c", "#6fd09c", "#c4a1ff", "#ff9d92", "#a0abb2"];

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const lineColour = (number) => (isDark() ? LINES_DARK : LINES)[number % LINES.length];

/** Numbers of an axis with as many digits as tell them apart; very small ones as powers of ten. */
export function tickTexts(ticks) {
  const known = ticks.filter((tick) => tick !== null && tick !== undefined);
  const most = Math.max(...known.map(Math.abs), 0);
  if (most && most < 1e-3) return ticks.map((tick) => (tick ? Number(tick.toPrecision(3)).toExponential() : "0"));
  const digits = known.some((tick) => !Number.isInteger(tick)) ? Math.min(6, Math.max(...known.map(decimals))) : 0;
  return ticks.map((tick) => Number(tick).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
}

function decimals(number) {
  return (String(Number(number.toPrecision(6))).split(".")[1] ?? "").length;
}

function axis(label, size) {
  const grid = { stroke: tone("--line"), width: 1 };
  const values = (_chart, ticks) => tickTexts(ticks);
  return { label, labelSize: 18, labelGap: 0, size, gap: 4, stroke: tone("--faint"), grid, ticks: { ...grid, size: 5 }, values, font: "11px system-ui", labelFont: "11px system-ui" };
}

/** A chart in `element` that can be given new data; lines are {label, number, dash?}. */
export class Chart {
  constructor(element, { x, y, lines, format = (value) => value, bars = false, height = HEIGHT, legend = true, empty = "nothing yet" }) {
    const canvas = make("div", {});
    this._readout = make("p", { class: "readout", "aria-hidden": "true" });
    this._none = make("p", { class: "faint", hidden: true }, empty);
    replace(element, canvas, this._none, legend ? this._readout : null);
    this._tell = (at) => this._showValues({ x, lines, format }, at);
    this._make = () => {
      const series = lines.map((line, number) => ({
        label: line.label,
        stroke: lineColour(line.number ?? number),
        fill: bars ? `${lineColour(number)}88` : undefined,
        width: 2,
        dash: line.dash,
        spanGaps: true,
        points: { show: false },
        paths: bars ? uPlot.paths.bars({ size: [0.9, 60] }) : undefined,
      }));
      const options = {
        width: Math.max(220, canvas.clientWidth),
        height,
        padding: [8, 26, 0, 0],
        scales: { x: { time: false, range: bars ? widened : undefined }, y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.06 : 1] } },
        axes: [axis(x, 38), axis(y, 58)],
        series: [{ label: x }, ...series],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        hooks: { setCursor: [(chart) => this._tell(chart.cursor.idx)] },
      };
      this._chart?.destroy();
      this._chart = new uPlot(options, this._data, canvas);
      this._tell(null);
    };
    this._observer = new ResizeObserver(() => this._chart?.setSize({ width: Math.max(220, canvas.clientWidth), height }));
    this._observer.observe(canvas);
    this._scheme = matchMedia("(prefers-color-scheme: dark)");
    this._scheme.addEventListener("change", this._make);
  }

  show(data) {
    this._data = data;
    this._none.hidden = data[0].length > 0;
    if (!data[0].length) {
      this._chart?.destroy();
      this._chart = null;
    } else if (this._chart) this._chart.setData(data);
    else this._make();
    if (!data[0].length) replace(this._readout);
  }

  close() {
    this._observer.disconnect();
    this._scheme.removeEventListener("change", this._make);
    this._chart?.destroy();
  }

  /** The names of the lines, with their values where the pointer is. */
  _showValues({ x, lines, format }, at) {
    const isAt = at !== null && at !== undefined;
    const value = (number) => (isAt ? valueNear(this._data, number + 1, at) : null);
    const parts = lines.map((line, number) => {
      const key = make("i", { class: "key" });
      key.style.background = lineColour(line.number ?? number);
      const shown = value(number);
      return make("span", {}, key, line.label, shown === null ? "" : `: ${format(shown)}`);
    });
    const where = isAt ? `${x} ${tickTexts([this._data[0][at]])[0]}` : "";
    replace(this._readout, parts, where ? make("span", {}, where) : null);
  }
}

/** Bars need room on both sides. */
function widened(_chart, low, high) {
  const room = (high - low || Math.abs(high) || 1) / 20;
  return [low - room, high + room];
}

/** Of a line with gaps, the last value up to a place. */
function valueNear(data, number, at) {
  for (let position = at; position >= 0; position -= 1) {
    const value = data[number][position];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** Several curves over one axis: each gives [x values, y values]. */
export function joined(curves) {
  const all = [...new Set(curves.flatMap(([x]) => x))].sort((a, b) => a - b);
  const columns = curves.map(([x, y]) => {
    const known = new Map(x.map((value, at) => [value, y[at]]));
    return all.map((value) => (known.has(value) ? known.get(value) : null));
  });
  return [all, ...columns];
}
