// Builds the page from values. Everything that is shown goes through `textContent` and
// attributes that cannot run: nothing a crawled page says is ever read as HTML.

const LONGEST_SHOWN = 400;

/** An element with properties and children; a child that is a string becomes text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text of a crawled page: isolated, so that its direction marks change nothing around it. */
export function foreign(text, longest = LONGEST_SHOWN) {
  return make("bdi", {}, cut(text, longest));
}

export function cut(text, longest = LONGEST_SHOWN) {
  const plain = String(text ?? "");
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** A link out of here; anything but http and https is text. */
export function outside(url, text = url) {
  const shown = foreign(text, 200);
  if (!isWeb(url)) return make("span", { class: "dead" }, shown);
  return make("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, shown);
}

export function isWeb(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** A link to a view of our own; main.js follows it without loading the page again. */
export function inside(href, properties, ...children) {
  return make("a", { href, "data-inside": true, ...properties }, ...children);
}

/** The address of a view with those parameters that have a value. */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
}

export const count = (number) => Number(number ?? 0).toLocaleString("en");
export const share = (number) => `${(100 * (number ?? 0)).toFixed(1)} %`;

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A text cut into pieces and marks; `marks` are offsets in code points, in order. */
export function marked(text, marks, decorate) {
  const points = Array.from(text);
  const pieces = [];
  let position = 0;
  for (const mark of marks) {
    if (mark.start < position || mark.end > points.length) continue;
    pieces.push(points.slice(position, mark.start).join(""));
    pieces.push(decorate(mark, points.slice(mark.start, mark.end).join("")));
    position = mark.end;
  }
  pieces.push(points.slice(position).join(""));
  return pieces;
}

/** Text that is read aloud and not shown. */
export function quiet(text) {
  return make("span", { class: "visually-hidden" }, text);
}

/** A table; a column is {title, cell(row), class?, quiet?}: a quiet title is only read aloud. */
export function table(columns, rows, empty = "nothing yet") {
  const head = columns.map((column) => make("th", { scope: "col", class: column.class }, column.quiet ? quiet(column.title) : column.title));
  const body = rows.map((row) =>
    make("tr", {}, columns.map((column) => make("td", { class: column.class }, column.cell(row)))),
  );
  if (!body.length) body.push(make("tr", {}, make("td", { colspan: columns.length, class: "faint" }, empty)));
  return make(
    "div",
    { class: "table", tabindex: 0 },
    make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, body)),
  );
}
