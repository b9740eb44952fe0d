// Completion of places while typing: a list below the box, with arrow keys, Enter and Escape.

import { ask } from "./api.js";
import { make, replace } from "./dom.js";

const PAUSE_MILLISECONDS = 120;

/** Complete places in `input`; `choose` is called when the text has been completed. */
export function completePlaces(input, list, choose) {
  let timer = 0;
  let asking = null;
  let found = [];
  let chosen = -1;

  const hide = () => {
    found = [];
    chosen = -1;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const take = (completion) => {
    const points = Array.from(input.value);
    input.value = points.slice(0, completion.start).join("") + completion.place.label;
    hide();
    choose(completion.place);
  };

  const mark = (position) => {
    chosen = position;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", at === chosen));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `completion-${chosen}`);
  };

  const show = () => {
    const items = found.map((completion, at) =>
      make(
        "li",
        {
          id: `completion-${at}`,
          role: "option",
          "aria-selected": "false",
          onpointerdown: (event) => {
            event.preventDefault();
            take(completion);
          },
        },
        make("span", { class: "name" }, completion.place.name),
        make("span", { class: "faint" }, completion.place.path.slice(0, -1).reverse().join(", ")),
        make("span", { class: "kind" }, completion.place.kind),
      ),
    );
    replace(list, items);
    list.hidden = !items.length;
    input.setAttribute("aria-expanded", String(Boolean(items.length)));
    chosen = -1;
  };

  const look = async () => {
    asking?.abort();
    asking = new AbortController();
    try {
      found = await ask("places/complete", { text: input.value, limit: 7 }, asking.signal);
      if (document.activeElement === input) show();
    } catch {
      hide();
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MILLISECONDS);
  });
  input.addEventListener("blur", hide);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark((chosen + 1) % found.length);
    else if (event.key === "ArrowUp") mark((chosen - 1 + found.length) % found.length);
    else if (event.key === "Enter" && chosen >= 0) take(found[chosen]);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    hide: () => {
      clearTimeout(timer);
      asking?.abort();
      hide();
    },
  };
}
