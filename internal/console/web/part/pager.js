// Rows that come in pages: what is loaded, and how to get more.

import { own } from "../app/api.js";

export class Pager {
  items = [];
  done = false;
  #cursor = "";
  #key = "";
  #turn = 0;
  #known = new Set(); // keys of the rows, because what moved in since must not be shown twice

  // path and query are what is asked; member is where the answer has its rows; slim keeps of a row what is needed; changed is
  // called after each page.
  constructor({ path, query = {}, member, request = own, slim = (row) => row, changed = () => {}, key = "id" }) {
    Object.assign(this, { path, query, member, request, slim, changed });
    this.#key = key;
  }

  async next(limit = 100) {
    this.#turn++;
    const before = this.items.length;
    do { // a page may have no rows and the list still go on, where few are what is asked for
      const page = await this.request("GET", this.path, { query: { limit, ...this.query, cursor: this.#cursor } });
      this.items = this.items.concat(this.#unknown(page[this.member].map(this.slim)));
      this.#cursor = page.next_cursor;
      this.done = !page.next_cursor;
      this.answer = page;
    } while (this.items.length === before && !this.done);
    this.changed();
  }

  #unknown(rows) {
    if (!this.#key) return rows;
    const fresh = rows.filter((r) => !this.#known.has(r[this.#key]));
    for (const r of fresh) this.#known.add(r[this.#key]);
    return fresh;
  }

  get more() {
    return this.done ? null : () => this.next().catch(() => { this.done = true; this.broken = true; this.changed(); });
  }

  // refresh fetches the newest and puts what is new before the rest. It returns how many there were; -1: everything is
  // new. With whole, rows that somebody else has deleted go.
  async refresh(whole = false) {
    const turn = ++this.#turn;
    const page = await this.request("GET", this.path, { query: { limit: 50, ...this.query } });
    const rows = page[this.member].map(this.slim);
    const fresh = this.#unknown(rows);
    if (this.items.length > 0 && fresh.length === rows.length && (rows.length > 0 || !page.next_cursor)) {
      this.items = rows;
      this.#known = new Set(rows.map((r) => r[this.#key]));
      this.#cursor = page.next_cursor;
      this.done = !page.next_cursor;
      this.changed();
      return -1;
    }
    const now = new Map(rows.map((r) => [r[this.#key], r]));
    const oldest = this.items.findIndex((i) => i[this.#key] === rows.at(-1)?.[this.#key]);
    if (whole && turn === this.#turn) { // what is asked now may be newer than this answer
      const last = page.next_cursor && oldest >= 0 ? oldest : this.items.length;
      this.items = [...rows, ...this.items.filter((i, at) => at > last && !now.has(i[this.#key]))];
    } else {
      this.items = [...fresh, ...this.items.map((i) => now.get(i[this.#key]) ?? i)];
    }
    this.changed();
    const known = rows.findIndex((r) => !fresh.includes(r)); // below it is what moved up in place of what was deleted
    return known < 0 ? fresh.length : known;
  }

  replace(item) {
    this.items = this.items.map((i) => (i[this.#key] === item[this.#key] ? { ...i, ...item } : i));
    this.changed();
  }

  drop(id) {
    this.items = this.items.filter((i) => i[this.#key] !== id);
    this.changed();
  }
}
