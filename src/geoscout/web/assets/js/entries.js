// An entry of the directory as a list item, and the pieces that its own page shares with it.

import { address, foreign, inside, make, outside, plural } from "./dom.js";
import { numberedItem } from "./numbered.js";
import { precisionText } from "./precision.js";

/** One entry as a list item; `on` has functions for `point`, `leave` and `find` of its number. */
export function entryItem(entry, number, crawl, on) {
  return numberedItem(
    { number, kind: "hit entry", hasPoint: entry.lat !== null, unknown: "Where it is, is not known", on },
    make("h3", {}, inside(entryAddress(crawl, entry.id), { class: "title" }, foreign(entry.name, 160)), " ", categoryBadges(entry.categories)),
    make("p", { class: "where" }, foreign(addressLine(entry), 200)),
    contactLine(entry),
    make("p", { class: "faint" }, sourcesText(entry), entry.disagreements ? make("span", { class: "badge bad" }, "pages disagree") : null),
  );
}

const FACTS = { hours: "Opening hours", phone: "Telephone", mail: "Mail", website: "Website", address: "Address", price: "Price" };

/** What was asked for and a page says, above everything else; nothing where nothing is known. */
export function foundFacts(answer) {
  if (!answer.facts?.length && !answer.entries_notes?.length) return null;
  const asked = answer.reading.open_at;
  const when = asked === "today" ? " today" : asked && asked !== "now" ? " then" : " now";
  const items = answer.facts.map((fact) =>
    make(
      "li",
      {},
      make("small", {}, FACTS[fact.kind] ?? fact.kind),
      " ",
      make("strong", {}, factValue(fact)),
      " ",
      fact.open === null ? null : make("span", { class: `badge ${fact.open ? "good" : "bad"}` }, `${fact.open ? "open" : "closed"}${when}`),
      make("p", {}, inside(entryAddress(answer.crawl, fact.entry), {}, foreign(fact.name, 120)), fact.address ? " · " : "", foreign(fact.address, 160)),
      make("p", { class: "faint" }, outside(fact.url, shortened(fact.url)), fact.fetched_at ? `, ${fact.fetched_at.slice(0, 10)}` : ""),
    ),
  );
  const notes = (answer.entries_notes ?? []).map((note) => make("p", { class: "note" }, note));
  return make("section", { class: "found-entries facts", "aria-label": "Facts" }, items.length ? make("ul", {}, items) : null, notes);
}

function factValue(fact) {
  if (fact.kind === "phone") return make("a", { href: `tel:${fact.value.replace(/[^+0-9]/g, "")}` }, fact.value);
  if (fact.kind === "mail") return mailLink(fact.value);
  return fact.kind === "website" ? outside(fact.value, shortened(fact.value)) : foreign(fact.value, 200);
}

/** The entries that answer a search, above its pages; nothing where there are none. */
export function foundEntries(answer) {
  if (!answer.entries?.length) return null;
  const items = answer.entries.map((entry) =>
    make(
      "li",
      {},
      make("strong", {}, inside(entryAddress(answer.crawl, entry.id), {}, foreign(entry.name, 120))),
      " ",
      categoryBadges(entry.categories.slice(0, 2)),
      make("p", {}, foreign(addressLine(entry), 160), entry.opening_hours ? " · " : "", foreign(entry.opening_hours, 120), ...contacts(entry).flatMap((part) => [" · ", part])),
    ),
  );
  const more = answer.entries_total - items.length;
  const filters = answer.entries_filters;
  const name = filters.within.startsWith("id:") ? answer.reading.place?.name : "";
  const all = address("/directory", { crawl: answer.crawl, ...filters, within_name: name });
  const rest = more > 0 ? make("p", { class: "faint" }, `and ${plural(more, "other")} in `, inside(all, {}, "the directory")) : null;
  return make("section", { class: "found-entries", "aria-label": "Entries of the directory" }, make("h2", {}, "Businesses, clubs and offices"), make("ul", {}, items), rest);
}

export const entryAddress = (crawl, id) => address("/entry", { crawl, id });

/** An entry as the marks on a map want it. */
export function asHit(entry) {
  const points = entry.lat === null ? [] : [{ lat: entry.lat, lon: entry.lon, precision: entry.precision, reach_km: 0 }];
  return { title: entry.name, points };
}

const NUMBER_FIRST = new Set(["US", "CA", "GB", "IE", "AU", "NZ", "FR", "LU"]);

export function addressLine(entry) {
  const parts = [entry.street, entry.house_number];
  const isEnglish = NUMBER_FIRST.has(entry.country);
  const street = (isEnglish ? parts.reverse() : parts).filter(Boolean).join(" ");
  const town = isEnglish && entry.country !== "FR" ? [entry.city, entry.region, entry.postcode] : [entry.postcode, entry.city];
  return [street, town.filter(Boolean).join(" ")].filter(Boolean).join(", ");
}

/** "amenity=fast_food" as "fast food". */
export const categoryName = (tag) => tag.split("=").pop().replaceAll("_", " ");

export function categoryBadges(categories) {
  return categories.map((tag) => make("span", { class: "badge plain", title: tag }, categoryName(tag)));
}

export function phoneLinks(entry) {
  return entry.phones.map((phone, at) => (/^\+[0-9]+$/.test(phone) ? make("a", { href: `tel:${phone}` }, entry.shown_phones?.[at] ?? phone) : foreign(phone)));
}

export function mailLink(mail) {
  return /^[\w.+-]+@[\w.-]+$/.test(mail) ? make("a", { href: `mailto:${mail}` }, foreign(mail, 80)) : foreign(mail, 80);
}

/** The first telephone number and the website. */
function contacts(entry) {
  const phones = phoneLinks({ ...entry, phones: entry.phones.slice(0, 1) });
  return entry.website ? [...phones, outside(entry.website, shortened(entry.website))] : phones;
}

function contactLine(entry) {
  const parts = contacts(entry);
  return parts.length ? make("p", { class: "contact" }, parts.flatMap((part, at) => (at ? [" · ", part] : [part]))) : null;
}

export function sourcesText(entry) {
  const pages = plural(entry.pages, "page");
  return `${entry.sites > 1 ? `${pages} of ${plural(entry.sites, "site")}` : pages}, last seen ${entry.last_seen.slice(0, 10)} `;
}

/** How exactly the point of an entry is known. */
export const placedBy = (entry) => (entry.lat === null ? "not on the map" : precisionText({ precision: entry.precision, reach_km: 0 }));

export function shortened(url) {
  return url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}
