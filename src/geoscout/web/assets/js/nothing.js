// An address that leads nowhere: what there is instead.

import { foreign, inside, make, replace } from "./dom.js";

export function open(screen) {
  replace(
    screen,
    make("h1", {}, "Nothing is here"),
    make("p", {}, "There is no page at ", make("code", {}, foreign(location.pathname, 200)), "."),
    make("p", {}, "Go to the ", inside("/search", {}, "search"), ", to the ", inside("/crawl", {}, "crawl"), " or to the ", inside("/api/docs", {}, "API"), "."),
  );
}
