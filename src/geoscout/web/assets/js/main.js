// Looks at the address and shows the view it names. Links between views do not load the page again.

import { ask } from "./api.js";
import { takeKey } from "./control.js";
import { make, replace } from "./dom.js";
import { showProblem } from "./problems.js";

const VIEWS = {
  "/": ["search", () => import("./search.js")],
  "/search": ["search", () => import("./search.js")],
  "/crawl": ["crawl", () => import("./crawl.js")],
  "/directory": ["directory", () => import("./directory.js")],
  "/entry": ["entry", () => import("./entry.js")],
  "/places": ["places", () => import("./places.js")],
  "/page": ["page", () => import("./page.js")],
  "/geoparse": ["geoparse", () => import("./geoparse.js")],
  "/new": ["new", () => import("./new_crawl.js")],
  "/compare": ["compare", () => import("./compare.js")],
  "/api/docs": ["docs", () => import("./docs.js")],
};

const screen = document.getElementById("view");
const which = document.getElementById("which");
let close = () => {};
let turn = 0; // a view that loads slowly must not replace a later one
let site = null;
const LOOK_AGAIN_MILLISECONDS = 10_000; // crawls begin and vanish while a page is open

/** Go to another view, as a step in the browser's history or in place of the present one. */
export function go(href, { instead = false } = {}) {
  history[instead ? "replaceState" : "pushState"](null, "", href);
  return show();
}

async function show() {
  turn += 1;
  const mine = turn;
  const parameters = Object.fromEntries(new URLSearchParams(location.search));
  const [name, load] = VIEWS[location.pathname] ?? ["nothing", () => import("./nothing.js")];
  try {
    site ??= await ask("site");
    const view = await load();
    if (mine !== turn) return;
    markNavigation(name, parameters);
    if (view.change?.(parameters)) return; // it is on the screen already
    close();
    replace(screen);
    screen.className = `view ${name}`;
    close = view.open(screen, parameters, site, go) ?? (() => {});
  } catch (error) {
    if (mine === turn) showProblem(screen, error, () => show());
  }
}

function markNavigation(name, parameters) {
  document.title = `geoscout · ${name}`;
  for (const link of document.querySelectorAll("nav a")) {
    link.toggleAttribute("aria-current", link.dataset.view === (name === "entry" ? "directory" : name));
    const path = new URL(link.href).pathname;
    const crawl = parameters.crawl && path !== "/compare" && path !== "/api/docs";
    link.href = crawl ? `${path}?crawl=${encodeURIComponent(parameters.crawl)}` : path;
  }
  const label = which.closest("label");
  label.dataset.unused = name === "compare" || name === "docs" || name === "geoparse" || name === "new";
  listCrawls(parameters);
}

function listCrawls(parameters) {
  const label = which.closest("label");
  label.hidden = site.crawls.length < 2 || label.dataset.unused === "true";
  replace(which, site.crawls.map((one) => make("option", { value: one.crawl }, one.crawl)));
  which.value = parameters.crawl || site.crawls[0]?.crawl || "";
}

which.addEventListener("change", () => {
  const parameters = new URLSearchParams(location.search);
  for (const name of ["url", "n", "id", "place", "offset"]) parameters.delete(name);
  parameters.set("crawl", which.value);
  const path = { "/page": "/search", "/entry": "/directory" }[location.pathname] ?? location.pathname;
  go(`${path}?${parameters}`);
});

document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault(); // a step to "#view" would ask the view again
  screen.focus();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-inside]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain) return;
  event.preventDefault();
  go(link.getAttribute("href"));
  screen.focus({ preventScroll: true });
});

/** Ask again what is served, now; the list of crawls follows. */
export async function lookAgain() {
  const found = await ask("site");
  const names = (one) => one?.crawls.map((crawl) => crawl.crawl).join("\n");
  const isChanged = names(found) !== names(site);
  site = found;
  if (isChanged) listCrawls(Object.fromEntries(new URLSearchParams(location.search)));
}

setInterval(() => {
  if (site && !document.hidden) lookAgain().catch(() => {}); // the view says when the server is gone
}, LOOK_AGAIN_MILLISECONDS);

window.addEventListener("popstate", show);
takeKey();
show();
