// Links to what a crawl found, or a search, as files for other programs.

import { make } from "./dom.js";

const OF_CRAWL = [
  ["pages", ["csv", "geojson", "jsonl", "parquet"]],
  ["addresses", ["csv", "geojson", "jsonl", "parquet"]],
  ["places", ["csv", "geojson", "jsonl", "parquet"]],
  ["links", ["csv", "jsonl"]],
  ["visits", ["csv", "jsonl"]],
  ["archive", ["warc", "wacz"]],
];
const OF_SEARCH = ["geojson", "csv", "jsonl"];
const ENDINGS = { warc: "warc.gz" };

/** Everything that a crawl can be exported as, a line for each kind of row. */
export function crawlExports(crawl) {
  return OF_CRAWL.map(([what, formats]) => {
    const links = formats.map((format) => {
      const rows = what === "archive" ? "pages" : what; // an archive is that of all pages
      return fileLink("/api/export", { crawl, what: rows, format }, what, format);
    });
    return make("p", { class: "exports" }, make("span", {}, `${what} `), links);
  });
}

/** The hits of a search as files; `asked` are the parameters of the search. */
export function hitExports(asked) {
  return fileLinks("/api/search/export", asked, "hits", OF_SEARCH);
}

/** What an address of the API gives, as files called `name`. */
export function fileLinks(path, asked, name, formats) {
  const links = formats.map((format) => fileLink(path, { ...asked, format }, name, format));
  return [make("span", {}, `Export these ${name}: `), ...links];
}

function fileLink(path, parameters, name, format) {
  const address = new URL(path, location.origin);
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) address.searchParams.set(key, value);
  }
  const file = `${name}.${ENDINGS[format] ?? format}`;
  return make("a", { class: "badge plain", href: address.pathname + address.search, download: file }, file);
}
