// An area in numbers, for those who cannot or do not want to draw one on the map.

import { make } from "./dom.js";

const SIDES = [
  ["west", 180],
  ["south", 90],
  ["east", 180],
  ["north", 90],
];

/** Ask for the four sides in a dialog, beginning with those of `box`; `done` gets the new text. */
export function askForBox(box, done) {
  const now = box.split(",").map((side) => Number(side).toFixed(4));
  const fields = SIDES.map(([name, most], at) => {
    const input = make("input", { type: "number", name, min: -most, max: most, step: "any", required: true, value: now[at] });
    return make("label", {}, make("span", {}, name), input);
  });
  const wrong = make("p", { class: "note", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const sides = new FormData(event.target);
    if (Number(sides.get("south")) >= Number(sides.get("north"))) {
      wrong.textContent = "The north must be further north than the south.";
      return;
    }
    dialog.close();
    done(SIDES.map(([name]) => Number(sides.get(name)).toFixed(5)).join(","));
  };
  const dialog = make(
    "dialog",
    { "aria-label": "Area in numbers" },
    make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
    make("h2", {}, "Area in numbers"),
    make("p", { class: "faint" }, "The sides of a box in degrees; those of the map to begin with. West and south of zero are negative."),
    make("form", { class: "sides", onsubmit: submit }, fields, wrong, make("button", { type: "submit", class: "primary" }, "Search there")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
