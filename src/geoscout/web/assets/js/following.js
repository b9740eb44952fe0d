// Follows a crawl by the events of the server, and begins again where it was when the connection is lost.

const AGAIN_MILLISECONDS = 2000;

/** Listens until `close`; `on` has functions for `status`, `pages`, `end` and `lost`. */
export class Following {
  constructor(crawl, on) {
    this._crawl = crawl;
    this._on = on;
    this._last = ""; // the position up to which pages have come
    this._listen();
  }

  close() {
    clearTimeout(this._timer);
    this._events.close();
  }

  /** Not left to the browser: it would begin at the first page, and give up after an error of HTTP. */
  _listen() {
    const after = this._last ? `&after=${encodeURIComponent(this._last)}` : "";
    this._events = new EventSource(`/api/events?crawl=${encodeURIComponent(this._crawl)}${after}`);
    const hear = (name, act) => this._events.addEventListener(name, (event) => act(event.data && JSON.parse(event.data)));
    hear("status", (status) => this._on.status(status));
    hear("pages", (found) => {
      this._last = found.last;
      this._on.pages(found.pages);
    });
    hear("end", () => {
      this.close();
      this._on.end();
    });
    this._events.addEventListener("error", () => {
      this.close();
      this._timer = setTimeout(() => this._listen(), AGAIN_MILLISECONDS);
      this._on.lost();
    });
  }
}
