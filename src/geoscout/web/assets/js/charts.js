// Curves and bars with uPlot, in the colours of the page.

const HEIGHT = 300;
const LINES = ["#0b6e99", "#c46a00", "#1f7a4d", "#8a3ffc", "#a3261d", "#5c666e"];
const LINES_DARK = ["#53b6de", "#f0b45c", "#6fd09c", "#c4a1ff", "#ff9d92", "#a0abb2"];

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const lineColour = (number) => (isDark() ? LINES_DARK : LINES)[number % LINES.length];

function axis(label, values = undefined) {
  const grid = { stroke: tone("--line"), width: 1 };
  return { label, labelSize: 22, size: 52, stroke: tone("--faint"), grid, ticks: grid, values, font: "11px system-ui", labelFont: "11px system-ui" };
}

/** A chart in `element` that can be given new data; lines are {label, number, dash?}. */
export class Chart {
  constructor(element, { x, y, lines, format = (value) => value, bars = false }) {
    this._element = element;
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
        value: (_chart, value) => (value === null || value === undefined ? "–" : format(value)),
      }));
      const options = {
        width: Math.max(220, element.clientWidth),
        height: HEIGHT,
        scales: { x: { time: false }, y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.06 : 1] } },
        axes: [axis(x), axis(y, (_chart, ticks) => ticks.map(format))],
        series: [{ label: x }, ...series],
        cursor: { drag: { x: false, y: false } },
      };
      this._chart?.destroy();
      this._chart = new uPlot(options, this._data, element);
    };
    this._observer = new ResizeObserver(() => this._chart?.setSize({ width: Math.max(220, element.clientWidth), height: HEIGHT }));
    this._observer.observe(element);
    this._scheme = matchMedia("(prefers-color-scheme: dark)");
    this._scheme.addEventListener("change", this._make);
  }

  show(data) {
    this._data = data;
    if (this._chart) this._chart.setData(data);
    else this._make();
  }

  close() {
    this._observer.disconnect();
    this._scheme.removeEventListener("change", this._make);
    this._chart?.destroy();
  }
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
