// A page that is one long list of plain rows.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { plural } from "../app/format.js";
import { Page, empty, heading } from "./view.js";
import { Pager } from "./pager.js";
import "./list.js";

export class TablePage extends Page {
  request = own;
  rowHeight = 56;

  async fetch() {
    this.pager = new Pager({ path: this.path, query: this.query?.() ?? {}, member: this.member, key: this.keyed ?? "", request: this.request, changed: () => this.requestUpdate() });
    await this.pager.next();
  }

  actions() { return nothing; }

  shown(items) { return items; }

  move(by) { this.querySelector("mk-list")?.move(by); }

  content() {
    const items = this.shown(this.pager.items);
    return html`${heading(this.title_, this.about, this.actions())}
      ${items.length === 0 && !this.pager.more ? empty(...this.none) : html`<mk-list class="fill card" label=${this.title_} height=${this.rowHeight} .key=${(item) => (this.keyed ? item[this.keyed] : item)}
        .items=${items} .more=${this.pager.more} .row=${(item) => this.row(item)} .foot=${html`<p class="listend">${plural(items.length, this.one, this.many)}</p>`}></mk-list>`}`;
  }
}
