// The buttons by which a crawl is stopped, resumed and steered; nothing for those who may not.

import { askControl, send } from "./control.js";
import { count, foreign, inside, make, plural, replace } from "./dom.js";
import { problemBox } from "./problems.js";

const LOOK_MILLISECONDS = 4000;
const MORE = 1000;
let isReopened = false; // the view was opened again by a button, which then has the focus

/** Shows what can be done with a crawl; `begins` is called when it runs again. */
export class Steering {
  constructor(crawl, { begins }) {
    this._crawl = crawl;
    this._begins = begins;
    this._buttons = make("div", { class: "steer", role: "group", "aria-label": "Control of this crawl" });
    this._told = make("p", { class: "faint", role: "status" });
    this._problem = make("div", {});
    this.element = make("div", { class: "steering", hidden: true }, this._buttons, this._told, this._problem);
    this._found = null;
    this._look();
    this._timer = setInterval(() => this._look(), LOOK_MILLISECONDS);
  }

  close() {
    clearInterval(this._timer);
  }

  /** A button for a row of the table of hosts; null for those who may not. */
  hostButton(host) {
    if (!this._can()) return null;
    const isAlone = this._found.crawl.left_alone.includes(host);
    const act = () => this._do(isAlone ? `${host} will be asked again` : `${host} is left alone from now on`, "hosts", { host, leave_alone: !isAlone });
    const text = isAlone ? "Ask again" : "Leave alone";
    return make("button", { type: "button", class: "link", data: { host }, "aria-label": `${text}: ${host}`, onclick: act }, text);
  }

  _can() {
    return Boolean(this._found?.may && this._found.crawl && !this._found.crawl.trouble);
  }

  async _look() {
    if (this._isBusy) return;
    try {
      const found = await askControl(this._crawl);
      const began = this._found?.crawl && !this._found.crawl.running && found.crawl?.running;
      this._found = found;
      if (began) this._again();
      else this._show();
    } catch {
      // The view says that the server does not answer.
    }
  }

  _again() {
    isReopened = this._buttons.contains(document.activeElement) || document.activeElement === document.body;
    this._begins();
  }

  _show() {
    const { may, trouble, crawl, can_begin: canBegin } = this._found;
    this.element.hidden = false;
    if (!may || !crawl || crawl.trouble) {
      replace(this._buttons, make("p", { class: "faint" }, foreign(crawl?.trouble && may ? crawl.trouble : trouble, 300)));
      return;
    }
    const hadFocus = this._buttons.contains(document.activeElement) ? document.activeElement.textContent : isReopened && "Stop";
    isReopened = false;
    const limit = crawl.max_pages === null ? "no limit of responses" : `limit ${count(crawl.max_pages)} responses`;
    replace(
      this._buttons,
      crawl.running ? this._button("Stop", () => this._stop()) : this._button("Resume", () => this._resume()),
      crawl.max_pages === null ? null : this._button(`+${count(MORE)} pages`, () => this._more()),
      canBegin ? inside("/new", { class: "button" }, "New crawl") : null,
      make("span", { class: "faint" }, [limit, processText(crawl)].filter(Boolean).join(" · ")),
      this._aloneList(crawl.left_alone),
    );
    for (const button of this._buttons.querySelectorAll("button")) if (button.textContent === hadFocus) button.focus();
  }

  _button(text, act) {
    return make("button", { type: "button", disabled: Boolean(this._isBusy), onclick: act }, text);
  }

  _aloneList(hosts) {
    if (!hosts.length) return null;
    const isOpen = this._buttons.querySelector("details")?.open;
    const rows = hosts.map((host) => make("li", {}, foreign(host, 100), " ", this.hostButton(host)));
    return make("details", { class: "alone", open: Boolean(isOpen) }, make("summary", {}, `${plural(hosts.length, "host")} left alone`), make("ul", {}, rows));
  }

  _stop() {
    return this._do("Stopped.", "stop", {}, "Stopping: what takes less than a second is finished…");
  }

  async _more() {
    const found = await this._do("", "budget", { more: MORE });
    if (found) this._told.textContent = `The limit is ${count(found.max_pages)} responses now${this._found.crawl.running ? "" : "; resume it to go on"}.`;
  }

  async _resume() {
    const { needs_contact: needsContact, allow_private: isPrivate } = this._found.crawl;
    const more = needsContact || isPrivate ? await askForResume({ needsContact, isPrivate }) : {};
    if (more) await this._do("It runs.", "resume", more, "Starting…");
  }

  async _do(done, path, body, meanwhile = "") {
    this._isBusy = true;
    this._told.textContent = meanwhile;
    replace(this._problem);
    let answer = null;
    try {
      answer = await send(path, { crawl: this._crawl, ...body });
      this._told.textContent = path === "stop" && answer.running ? "It was asked to stop, and has not ended yet." : done;
    } catch (error) {
      this._told.textContent = "";
      replace(this._problem, problemBox(error));
    }
    this._isBusy = false;
    await this._look();
    return answer;
  }
}

function processText(crawl) {
  return crawl.process ? `process ${crawl.process.pid} on ${crawl.process.machine}` : "";
}

/** What must be known before a crawl goes on; null when the user changes their mind. */
function askForResume({ needsContact, isPrivate }) {
  const contact = make("input", { id: "resume-contact", name: "contact", required: true, autocomplete: "email", placeholder: "you@example.org" });
  return new Promise((settle) => {
    const form = make(
      "form",
      { method: "dialog", class: "fields" },
      make("h2", {}, "Resume this crawl?"),
      isPrivate ? make("p", { class: "warning" }, "This crawl may ask private addresses: your own machine and network, whatever its pages link to. Go on only if you started it so, for a test or for your own intranet.") : null,
      needsContact ? make("label", { for: "resume-contact" }, "Mail or web address where server owners can reach you") : null,
      needsContact ? contact : null,
      make("p", { class: "actions" }, make("button", { class: "primary", value: "go" }, "Resume"), make("button", { value: "", formnovalidate: true }, "Cancel")),
    );
    const dialog = make("dialog", { "aria-label": "Resume this crawl" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(dialog.returnValue === "go" ? { ...(needsContact ? { contact: contact.value } : {}), ...(isPrivate ? { allow_private: true } : {}) } : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
