// How many messages wait for this person's decision: those of all mailboxes for the operator.

import { ask, own } from "./api.js";
import { live } from "./live.js";
import { session } from "./session.js";

const every = 30_000; // the stream of events is that of one mailbox
const most = 100; // more are not counted

class Held extends EventTarget {
  number = 0;
  #soon = 0;

  constructor() {
    super();
    session.addEventListener("change", () => this.count());
    live.addEventListener("mail", (e) => { if (/\.(held|approved|rejected|canceled)$/.test(e.detail.event)) this.count(); });
    setInterval(() => { if (!document.hidden) this.count(); }, every);
  }

  get text() { return this.number < most ? String(this.number) : `${most - 1}+`; }

  // request asks as a reviewer does.
  request(...about) { return (session.operator ? ask : own)(...about); }

  // count asks how many there are, at most twice a second.
  count() {
    if (!session.me || session.me.paused || !session.can("review")) return this.#set(0, "");
    this.#soon ||= setTimeout(async () => {
      this.#soon = 0;
      if (!session.me) return;
      const page = await this.request("GET", "reviews", { query: { status: "held", limit: most } }).catch(() => null);
      if (page && session.me) this.#set(page.reviews.length, page.reviews[0]?.id ?? "");
    }, 500);
  }

  #set(number, newest) {
    if (number === this.number && newest === this.newest) return;
    Object.assign(this, { number, newest });
    this.dispatchEvent(new Event("change"));
  }
}

export const held = new Held();
