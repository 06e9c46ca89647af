// A page that is one long list of plain rows, which can be searched.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { count, plural } from "../app/format.js";
import { Page, empty, heading } from "./view.js";
import { Pager } from "./pager.js";
import "./list.js";

const most = 5000; // rows that are searched

export class TablePage extends Page {
  static properties = { find: { state: true }, seeking: { state: true } };
  request = own;
  rowHeight = 56;

  constructor() {
    super();
    this.find = "";
  }

  async fetch() {
    this.pager = new Pager({ path: this.path, query: this.query?.() ?? {}, member: this.member, key: this.keyed ?? "", request: this.request, changed: () => this.requestUpdate() });
    await this.pager.next();
    if (this.find) await this.#all();
  }

  actions() { return nothing; }

  // filters is what stands above the list beside the search.
  filters() { return nothing; }

  shown(items) { return items; }

  move(by) { this.querySelector("mk-list")?.move(by); }

  async #seek(text) {
    this.find = text.trim().toLowerCase();
    if (this.find && !this.seeking) await this.#all().catch(() => {}); // what is loaded is searched in any case
  }

  // all loads what is there, so that it can be searched.
  async #all() {
    this.seeking = true;
    try {
      while (!this.pager.done && this.pager.items.length < most) await this.pager.next();
    } finally {
      this.seeking = false;
    }
  }

  content() {
    const all = this.shown(this.pager.items);
    const items = this.find ? all.filter((item) => Object.values(item).join("\n").toLowerCase().includes(this.find)) : all;
    const searched = this.find || items.length < this.pager.items.length;
    return html`${heading(this.title_, this.about, this.actions())}
      <div class="bar filters"><input type="search" aria-label="Find in ${this.title_.toLowerCase()}" placeholder="Find" .value=${this.find} @input=${(e) => this.#seek(e.target.value)}>${this.filters()}
        <span class="soft" role="status">${this.seeking ? "Searching…" : searched ? `${plural(items.length, this.one, this.many)} of ${count(this.pager.items.length)}${this.pager.done ? "" : ", the newest"}` : ""}</span></div>
      ${items.length === 0 && (this.find || !this.pager.more) ? (searched ? empty("Nothing fits", "Nothing in the list has this.") : empty(...this.none)) : html`<mk-list class="fill card" label=${this.title_} height=${this.rowHeight} .key=${(item) => (this.keyed ? item[this.keyed] : item)}
        .items=${items} .more=${this.find ? null : this.pager.more} .row=${(item) => this.row(item)} .foot=${html`<p class="listend">${plural(items.length, this.one, this.many)}</p>`}></mk-list>`}`;
  }
}
