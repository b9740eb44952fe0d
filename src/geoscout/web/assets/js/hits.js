// The list of hits: title, where it belongs, a snippet with words and places marked.

import { spotOf } from "./clusters.js";
import { address, count, foreign, inside, make, marked, outside, plural } from "./dom.js";
import { numberedItem } from "./numbered.js";
import { precisionText } from "./precision.js";

/** One hit as a list item. */
export function hitItem(hit, number, crawl, on) {
  const link = inside(
    address("/page", { crawl, n: hit.n }),
    { class: "title" },
    foreign(hit.title, 160),
  );
  const unknown = "This page has no point on the map";
  return numberedItem(
    { number, kind: "hit", hasPoint: hit.points.length > 0, unknown, on },
    make("h3", {}, link),
    make("p", { class: "url" }, outside(hit.url, shortened(hit.url))),
    make("p", { class: "snippet" }, snippet(hit.snippet)),
    places(hit, on.asked),
    explanation(hit.explanation),
    leftOut(hit, crawl, on),
  );
}

function snippet(given) {
  const pieces = marked(given.text, given.highlights, (mark, text) => make("mark", { class: mark.kind }, text));
  return make("bdi", {}, pieces);
}

function places(hit, asked) {
  const badges = narrowest(hit.places).map((place) =>
    make(
      "span",
      { class: place.address ? "badge address" : "badge", title: place.address ? "has an address there" : "is about it" },
      foreign(place.label, 60),
    ),
  );
  if (hit.relevant) badges.unshift(make("span", { class: "badge relevant" }, "in the region"));
  const spot = spotOf(hit, asked);
  if (spot) badges.push(make("span", { class: "spot" }, `On the map: ${precisionText(spot.point)}`));
  return badges.length ? make("p", { class: "badges" }, badges) : null;
}

/** Without the places that another one names already: "Bavaria, Germany" next to "Munich, Bavaria, Germany". */
function narrowest(places) {
  return places.filter((place) => !places.some((other) => other.label.endsWith(`, ${place.label}`)));
}

function explanation(given) {
  if (!given) return null;
  const weight = given.place_weight;
  return make(
    "p",
    { class: "why faint" },
    `text ${given.text.toFixed(2)} × place ${given.place.toFixed(2)} (weight ${weight.toFixed(2)}): ${given.reason}`,
  );
}

/** What stands behind a hit: pages that say nearly the same, and more of its host; both can be seen. */
function leftOut(hit, crawl, on) {
  const text = `${count(hit.more_of_host)} more of ${hit.host}`;
  const more = hit.more_of_host ? make("p", { class: "faint" }, make("button", { type: "button", class: "link", onclick: () => on.host(hit.host) }, text)) : null;
  return make("div", {}, similar(hit, crawl), more);
}

function similar(hit, crawl) {
  if (!hit.similar.length) return null;
  const items = hit.similar.map((url) => make("li", {}, inside(address("/page", { crawl, url }), {}, foreign(shortened(url), 90))));
  return make("details", { class: "similar faint" }, make("summary", {}, `${plural(hit.similar.length, "nearly equal page")} left out`), make("ul", {}, items));
}

function shortened(url) {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
