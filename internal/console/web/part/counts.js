// How much mail mailboxes have. Lists of mailboxes do not say, so it is asked for those that are seen, a few at a time.

import { ask } from "../app/api.js";

const atOnce = 3;
const silent = { total: null, unseen: null, last: null };

class Counts {
  #known = new Map();
  #waiting = [];
  #running = 0;
  #changed = () => {};

  begin(changed) {
    this.#changed = changed;
    this.#known.clear();
    this.#waiting = [];
  }

  forget(mailbox) { this.#known.delete(mailbox); }

  // of gives the counts of a mailbox; undefined: they are on their way.
  of({ mailbox, status }) {
    if (status === "paused") return silent; // it answers nothing
    const known = this.#known.get(mailbox);
    if (known !== undefined) return known ?? undefined;
    this.#known.set(mailbox, null);
    this.#waiting.push(mailbox);
    queueMicrotask(() => this.#next());
    return undefined;
  }

  async #next() {
    if (this.#running >= atOnce || this.#waiting.length === 0) return;
    const mailbox = this.#waiting.pop(); // what was seen last, first
    this.#running++;
    try {
      const [stats, newest] = await Promise.all([
        ask("GET", "stats", { query: { mailbox } }), ask("GET", "inbox", { query: { mailbox, limit: 1, direction: "inbound" } })]);
      this.#known.set(mailbox, { total: stats.total_emails, unseen: stats.unseen, last: newest.emails[0]?.received_at ?? null });
    } catch {
      this.#known.set(mailbox, silent);
    } finally {
      this.#running--;
      this.#changed();
      this.#next();
    }
  }
}

export const counts = new Counts();
