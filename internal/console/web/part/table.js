// A page that is one long list of plain rows, which can be searched.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { count, longest, plural, sought } from "../app/format.js";
import { Page, empty, heading } from "./view.js";
import { Pager } from "./pager.js";
import "./list.js";

const most = 5000; // rows that are searched here before a person is asked whether to go on
const typing = 250; // milliseconds without a letter after which the server is asked

// Long lists are searched by the server (searched), short ones here, in what is loaded.
export class TablePage extends Page {
  static properties = { find: { state: true }, seeking: { state: true }, refused: { state: true } };
  searched = false;
  request = own;
  headed = true; // the heading is above the list; else the page draws it
  rowHeight = 56;
  narrowHeight = 0; // on a phone, where its buttons are below the text

  constructor() {
    super();
    this.find = this.refused = this.typed = "";
    this.bound = most;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.soon);
  }

  async fetch() {
    const pager = new Pager({ path: this.path, query: { ...(this.query?.() ?? {}), ...(this.searched && this.find ? { query: this.asks(this.find) } : {}) },
      member: this.member, key: this.keyed ?? "", request: this.request, changed: () => this.requestUpdate() });
    this.asking = pager;
    try {
      await pager.next();
    } catch (e) {
      if (this.asking !== pager) return;
      if (!this.pager || !this.find || e.status === 401 || e.status === 403) throw e;
      this.refused = e.message; // what was typed is still there to be changed
      return;
    }
    if (this.asking !== pager) return; // something else is asked for meanwhile
    this.refused = "";
    this.pager = pager;
    this.requestUpdate();
    if (this.find && !this.searched) await this.#all();
  }

  actions() { return nothing; }

  // asks is what the server is asked for what a person typed.
  asks(find) { return find; }

  // filters is what stands above the list beside the search.
  filters() { return nothing; }

  move(by) { this.querySelector("mk-list")?.move(by); }

  async #seek(text) {
    this.typed = text; // the field has it also after the page was drawn again
    this.find = sought(text).toLowerCase();
    this.bound = most;
    clearTimeout(this.soon);
    if (this.searched) this.soon = setTimeout(() => this.load(), typing);
    else if (this.find && !this.seeking) await this.#all().catch(() => {}); // what is loaded is searched in any case
  }

  #further() {
    this.bound = this.pager.items.length + most;
    this.#all().catch(() => {});
  }

  // all loads what is there, so that it can be searched.
  async #all() {
    this.seeking = true;
    try {
      while (!this.pager.done && this.pager.items.length < this.bound) await this.pager.next();
    } finally {
      this.seeking = false;
    }
  }

  content() {
    const { items: all, more, done } = this.pager;
    const here = this.find && !this.searched;
    const items = here ? all.filter((item) => Object.values(item).join("\n").toLowerCase().includes(this.find)) : all;
    const narrowed = this.find || this.narrowed;
    const partly = here && !done && !this.seeking;
    return html`${this.headed ? heading(this.title_, this.about, this.actions()) : nothing}
      <div class="bar filters"><input type="search" aria-label="Find in ${this.title_.toLowerCase()}" placeholder=${this.hint ?? "Find"} maxlength=${longest} value=${this.typed} aria-invalid=${this.refused ? "true" : nothing} @input=${(e) => this.#seek(e.target.value)}>${this.refused ? html`<span class="wrong" role="alert">${this.refused}</span>` : nothing}${this.filters()}
        <span class="soft" role="status">${this.seeking ? "Searching…" : here ? `${plural(items.length, this.one, this.many)} of ${done ? "" : "the first "}${count(all.length)}` : narrowed ? (done ? plural(items.length, this.one, this.many) : `${count(items.length)} or more`) : ""}</span>
        ${partly ? html`<button class="small" @click=${this.#further}>Look further</button>` : nothing}</div>
      ${items.length === 0 && (here || !more) ? (narrowed ? empty("Nothing fits", partly ? "Nothing that was looked at has this." : this.nothing ?? "Nothing in the list has this.") : empty(...this.none)) : html`<mk-list class="fill card" label=${this.title_} height=${this.rowHeight} narrow=${this.narrowHeight} .key=${(item) => (this.keyed ? item[this.keyed] : item)}
        .items=${items} .more=${here ? null : more} .row=${(item) => this.row(item)} .foot=${html`<p class="listend">${this.pager.broken ? html`The rest could not be loaded. <button class="small" @click=${() => this.load()}>Try again</button>` : plural(items.length, this.one, this.many)}</p>`}></mk-list>`}`;
  }
}
