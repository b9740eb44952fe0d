// Error states that help: what went wrong in a sentence, and what to do about it.

import { make, replace } from "./dom.js";

export function problemBox(error, again = null) {
  const hints = (error.suggestions ?? []).map((text) => make("li", {}, text));
  return make(
    "div",
    { class: "problem", role: "alert" },
    make("strong", {}, error.status === 404 ? "Not found" : "That did not work"),
    make("p", {}, error.message),
    hints.length ? make("ul", {}, hints) : null,
    again ? make("button", { type: "button", onclick: again }, "Try again") : null,
  );
}

export function showProblem(parent, error, again = null) {
  if (error.name === "AbortError") return;
  replace(parent, make("h1", { class: "visually-hidden" }, "A problem"), problemBox(error, again));
}
