// Something in a list that also has a mark on the map, with the same number.

import { make } from "./dom.js";

/** A list item; `on` has functions for `point`, `leave` and `find` of its number. */
export function numberedItem({ number, kind, hasPoint, unknown, on }, ...about) {
  return make(
    "li",
    {
      class: kind,
      data: { hit: number },
      tabindex: -1,
      onpointerenter: () => on.point(number),
      onpointerleave: () => on.leave(),
      onfocusin: () => on.point(number),
    },
    make(
      "button",
      {
        type: "button",
        class: "number",
        disabled: !hasPoint,
        title: hasPoint ? "Show on the map" : unknown,
        onclick: () => on.find(number),
      },
      String(number + 1),
    ),
    make("div", { class: "about" }, ...about),
  );
}
