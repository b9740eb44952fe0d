// How exactly a point is known, in words: of a town or postal code only the middle is.

import { count } from "./dom.js";

const EXACT = new Set(["house", "street"]);
const WORDS = {
  house: "the house",
  street: "the street",
  postcode: "somewhere in the postal code",
  town: "somewhere in the town",
  region: "somewhere in the region",
};
const NOUNS = { house: "house", street: "street", postcode: "postal code", town: "town", region: "region" };

/** Whether a point is that of a house or street. */
export const isExact = (precision) => EXACT.has(precision);

/** What a point stands for, with how far off the truth may be. */
export function precisionText(point) {
  const words = WORDS[point.precision] ?? "somewhere around here";
  return point.reach_km && !isExact(point.precision) ? `${words}, within ${kilometres(point.reach_km)}` : words;
}

/** By what an address was placed, in a word or two. */
export const precisionNoun = (precision) => NOUNS[precision] ?? "not on the map";

function kilometres(number) {
  return number < 1 ? `${Math.max(100, Math.round(number * 10) * 100)} m` : `${count(Math.round(number))} km`;
}
