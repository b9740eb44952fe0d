// The form for a new crawl: region on the map, seeds looked at one by one, and the command it runs.

import { askControl, send } from "./control.js";
import { foreign, make, replace } from "./dom.js";
import { drawArea, openMap } from "./map.js";
import { lookAgain } from "./main.js";
import { problemBox, showProblem } from "./problems.js";

const WAIT_MILLISECONDS = 500; // after the last letter, before the command line is asked for
const LEAST_PAGES = 1000;

export function open(screen, _parameters, site, go) {
  const view = new NewCrawlView(screen, site, go);
  view.start();
  return () => view.close();
}

class NewCrawlView {
  constructor(screen, site, go) {
    this._screen = screen;
    this._site = site;
    this._go = go;
    this._checked = new Map(); // what came of each seed
  }

  close() {
    clearTimeout(this._timer);
    this._isClosed = true;
    this._map?.remove();
  }

  async start() {
    try {
      this._control = await askControl();
    } catch (error) {
      showProblem(this._screen, error, () => this.start());
      return;
    }
    if (this._isClosed) return;
    const { may, trouble, can_begin: canBegin } = this._control;
    const reason = may && !canBegin ? "There is no folder for new crawls here. Serve a folder of crawls, which may be empty: geoscout serve FOLDER" : trouble;
    if (reason) {
      replace(this._screen, make("h1", {}, "New crawl"), make("p", {}, foreign(reason, 300)), make("p", {}, "The command line does the same: ", make("code", {}, "geoscout crawl --help")));
      return;
    }
    this._build();
  }

  _build() {
    this._region = field("region", "Region", "A place, such as “Lisbon, Portugal”; or latitude,longitude,radius_km", { required: true });
    this._seeds = field("seeds", "Seeds", "Addresses of web pages to begin with, one on each line", { tag: "textarea", rows: 5, required: true });
    this._contact = field("contact", "Contact", "A mail or web address where server owners can reach you; it is sent with every request", { value: this._control.contact, autocomplete: "email" });
    this._limit = field("max_pages", "Limit", "Responses after which it stops; empty for no limit. It can be raised later.", { type: "number", min: 1, value: LEAST_PAGES });
    this._name = field("name", "Name", `Of its folder, in ${this._control.room}`, { required: true });
    this._private = make("input", { type: "checkbox", id: "field-allow_private" });
    this._regionFound = make("div", { role: "status" });
    this._seedsFound = make("ul", { class: "checked", "aria-live": "polite" });
    this._command = make("code", {}, "geoscout crawl …");
    this._problem = make("div", {});
    this._start = make("button", { class: "primary", type: "submit" }, "Start the crawl");
    this._told = make("p", { role: "status" });
    const map = make("div", { class: "map" });
    const check = make("button", { type: "button", onclick: () => this._checkSeeds() }, "Check the seeds");
    const form = make(
      "form",
      { class: "card fields", novalidate: true, onsubmit: (event) => this._submit(event) },
      this._region.element, this._regionFound,
      this._seeds.element, make("p", {}, check), this._seedsFound,
      this._contact.element,
      this._limit.element,
      this._name.element,
      this._control.is_local ? this._privateField() : null,
      make("h2", {}, "The command line that does the same"),
      make("p", { class: "command", tabindex: 0 }, this._command),
      this._problem,
      make("p", { class: "actions" }, this._start),
      this._told,
    );
    replace(this._screen, make("h1", {}, "New crawl"), make("div", { class: "new-grid" }, form, make("section", { class: "card" }, make("h2", {}, "Region on the map"), map)));
    this._map = openMap(map, this._site);
    this._region.input.addEventListener("change", () => this._checkRegion());
    this._seeds.input.addEventListener("change", () => this._checkSeeds());
    form.addEventListener("input", () => this._later());
    this._region.input.focus();
  }

  _privateField() {
    const text = "A crawl then also asks your own machine and network, whatever its pages link to: your router, or other servers that trust your address. It is for tests, and for an intranet that you own.";
    return make(
      "details",
      {},
      make("summary", {}, "Pages on your own machine or network"),
      make("p", { class: "check" }, this._private, make("label", { for: "field-allow_private" }, "Allow private addresses")),
      make("p", { class: "warning" }, text),
    );
  }

  _wanted() {
    return {
      name: this._name.input.value.trim(),
      region: this._region.input.value.trim() ? [this._region.input.value.trim()] : [],
      seeds: lines(this._seeds.input.value),
      contact: this._contact.input.value.trim(),
      max_pages: this._limit.input.value === "" ? null : Math.round(Number(this._limit.input.value)),
      allow_private: this._private.checked,
    };
  }

  async _checkRegion() {
    const region = this._region.input.value.trim();
    this._region.complain("");
    replace(this._regionFound);
    if (!region) return;
    if (!this._name.input.value) this._name.input.value = nameOf(region);
    this._later();
    try {
      const found = await send("region", { region: [region] });
      if (region !== this._region.input.value.trim()) return;
      this._showRegion(found);
    } catch (error) {
      this._region.complain(error.message);
      replace(this._regionFound, ...this._choices(error.suggestions));
    }
  }

  /** Names to choose instead of what was written. */
  _choices(names) {
    if (!names.length) return [];
    const choose = (text) => {
      this._region.input.value = text;
      this._checkRegion();
      this._region.input.focus();
    };
    const items = names.map((text) => make("li", {}, make("button", { type: "button", class: "link", onclick: () => choose(text) }, foreign(text, 100))));
    return [make("p", { class: "faint" }, "Or did you mean:"), make("ul", { class: "alternatives" }, items)];
  }

  _showRegion(found) {
    const { name, alternatives, estimated } = found.properties;
    this._area = drawArea(this._map, found, this._area);
    this._map.fitBounds(this._area.getBounds().pad(0.3), { maxZoom: 11, animate: false });
    replace(
      this._regionFound,
      make("p", {}, "Taken as ", make("strong", {}, foreign(name, 200)), estimated ? ". Its outline is not known: a circle of its likely size." : "."),
      ...this._choices(alternatives),
    );
  }

  async _checkSeeds() {
    this._seeds.complain("");
    const turn = (this._turn = (this._turn ?? 0) + 1);
    for (const seed of lines(this._seeds.input.value)) {
      if (this._checked.get(seed)?.ok) continue;
      this._checked.set(seed, { detail: "looking…" });
      this._showSeeds();
      const asked = { seed, contact: this._contact.input.value.trim(), allow_private: this._private.checked };
      const found = await send("seed", asked).catch((error) => ({ ok: false, detail: error.message }));
      if (turn !== this._turn || this._isClosed) return;
      this._checked.set(seed, found);
      this._showSeeds();
    }
  }

  _showSeeds() {
    const mark = { true: ["✓", "can be crawled"], false: ["✗", "problem"], undefined: ["…", "being checked"] };
    const rows = lines(this._seeds.input.value).filter((seed) => this._checked.has(seed)).map((seed) => {
      const { ok, detail } = this._checked.get(seed);
      const [sign, meaning] = mark[ok];
      return make("li", { class: ok === false ? "bad" : ok ? "good" : "" }, make("span", { "aria-hidden": "true" }, sign, " "), make("span", { class: "visually-hidden" }, `${meaning}: `), foreign(seed, 120), make("span", { class: "faint" }, " – ", foreign(detail, 300)));
    });
    replace(this._seedsFound, rows);
  }

  _later() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._preview(), WAIT_MILLISECONDS);
  }

  /** The command line of what is in the form, as soon as nothing is wrong with it. */
  async _preview() {
    const found = await send("crawls", { ...this._wanted(), only_check: true }).catch((error) => error);
    if (found?.command || found?.errors) this._mark(found.errors ?? [], { isNew: false });
    const left = [...new Set((found?.errors ?? []).map(({ where }) => where.split(".")[0]))];
    const rest = left.length ? ` (still to do: ${left.join(", ").replace("max_pages", "limit").replace("allow_private", "private addresses")})` : "";
    this._command.textContent = found?.command || `geoscout crawl …${rest}`;
  }

  async _submit(event) {
    event.preventDefault();
    clearTimeout(this._timer);
    this._tell([]);
    this._start.disabled = true;
    this._told.textContent = "Starting…";
    try {
      const started = await send("crawls", this._wanted());
      await lookAgain();
      if (!this._isClosed) this._go(`/crawl?crawl=${encodeURIComponent(started.crawl)}`);
    } catch (error) {
      this._told.textContent = "";
      this._start.disabled = false;
      this._fail(error);
    }
  }

  _fail(error) {
    if (!error.errors?.length) {
      replace(this._problem, problemBox(error));
      return;
    }
    this._tell(error.errors);
  }

  /** Mistakes at their fields; without `isNew` only those that were told before, or are mended. */
  _mark(errors, { isNew }) {
    const fields = { region: this._region, seeds: this._seeds, contact: this._contact, max_pages: this._limit, name: this._name };
    for (const [name, one] of Object.entries(fields)) {
      const mine = errors.filter(({ where }) => fieldOf(where) === name);
      if (isNew || one.isWrong) one.complain(mine.map(({ what }) => what).join("\n"));
    }
    return fields;
  }

  /** All mistakes: each at its field, and the first field gets the focus. */
  _tell(errors) {
    replace(this._problem);
    const fields = this._mark(errors, { isNew: true });
    const others = errors.filter(({ where }) => !(fieldOf(where) in fields));
    if (others.length) replace(this._problem, problemBox({ message: others.map(({ what }) => what).join(" ") }));
    Object.values(fields).find((one) => one.isWrong)?.input.focus();
  }
}

/** A labelled field with a hint and a place for what is wrong with it. */
function field(name, label, hint, { tag = "input", ...properties } = {}) {
  const input = make(tag, { id: `field-${name}`, name, "aria-describedby": `hint-${name} wrong-${name}`, ...properties });
  if (tag === "textarea") input.spellcheck = false;
  const wrong = make("p", { class: "wrong", id: `wrong-${name}`, role: "alert" });
  const element = make("div", { class: "field" }, make("label", { for: `field-${name}` }, label), make("p", { class: "faint", id: `hint-${name}` }, foreign(hint, 300)), input, wrong);
  return {
    element,
    input,
    get isWrong() {
      return wrong.textContent !== "";
    },
    complain(text) {
      wrong.textContent = text;
      input.toggleAttribute("aria-invalid", Boolean(text));
      if (text) input.setAttribute("aria-invalid", "true");
    },
  };
}

const fieldOf = (where) => where.replace(/^body\./, "").split(".")[0];

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** A name for the folder of a crawl of this region. */
function nameOf(region) {
  const first = region.split(",")[0].normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return first.replace(/^-+|-+$/g, "").slice(0, 40);
}
