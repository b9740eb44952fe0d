// A button with a menu below it: opened by click, Enter or the arrow keys; closed by Escape, Tab and clicks elsewhere.

import { make } from "./dom.js";

/** An element with both; `items` are buttons with the role menuitem. */
export function dropdown(properties, label, items) {
  const menu = make("div", { class: "menu", role: "menu", hidden: true }, items);
  const opener = make("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", ...properties }, label);
  const whole = make("span", { class: "dropdown" }, opener, menu);
  const elsewhere = (event) => whole.contains(event.target) || close();
  const open = (which = 0) => {
    menu.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", elsewhere);
    items.at(which)?.focus();
  };
  const close = () => {
    menu.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", elsewhere);
  };
  for (const item of items) item.tabIndex = -1; // arrow keys go through a menu, Tab leaves it
  opener.addEventListener("click", () => (menu.hidden ? open() : close()));
  whole.addEventListener("keydown", (event) => {
    if (menu.hidden && !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    if (event.key === "Tab") return close();
    const at = items.indexOf(document.activeElement);
    if (event.key === "Escape") {
      close();
      opener.focus();
    } else if (menu.hidden) open(event.key === "ArrowDown" ? 0 : -1);
    else if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
    else if (event.key === "ArrowUp") items.at((at <= 0 ? items.length : at) - 1).focus();
    else if (event.key === "Home") items[0].focus();
    else if (event.key === "End") items.at(-1).focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page has keys of its own
  });
  return whole;
}
