// Choosing another mailbox, for the operator: by a part of its address, with the keyboard alone if one likes.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { clean, count } from "../app/format.js";
import { go, route } from "../app/route.js";
import { pageOf } from "../app/pages.js";
import { session } from "../app/session.js";
import { View } from "./view.js";

const shown = 12; // mailboxes at a time

class Switcher extends View {
  static properties = { list: { state: true }, more: { state: true }, chosen: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.list = [];
    this.chosen = 0;
    this.turn = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", () => this.querySelector("dialog")?.close()); // the browser's Back leaves the question, too
  }

  open() {
    this.querySelector("dialog").showModal();
    const field = this.querySelector("input");
    field.value = "";
    field.focus();
    this.#find("");
  }

  async #find(query) {
    const turn = ++this.turn;
    this.failure = null;
    try {
      this.chosen = 0;
      let found = [], cursor = "";
      do { // a page may be short and the list still go on
        const page = await ask("GET", "mailboxes", { query: { query, limit: shown - found.length, cursor } });
        if (turn !== this.turn) return;
        found = found.concat(page.mailboxes);
        cursor = page.next_cursor;
        this.list = found;
        this.more = Boolean(cursor);
      } while (cursor && found.length < shown);
    } catch (e) {
      if (turn === this.turn) this.failure = e;
    }
  }

  #key(e) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by || this.list.length === 0) return;
    e.preventDefault();
    this.chosen = (this.chosen + by + this.list.length) % this.list.length;
  }

  #take(m) {
    this.querySelector("dialog").close();
    if (m) go(pageOf(route.page) && !pageOf(route.page).whole && route.page !== "compose" ? route.page : session.reads(m.mailbox) ? "inbox" : "mailbox", "", {}, m.mailbox);
  }

  render() {
    const active = this.list[this.chosen];
    return html`<dialog class="switcher" aria-labelledby="switch"><form method="dialog" @submit=${(e) => { e.preventDefault(); this.#take(active); }}>
      <h2 id="switch">Open a mailbox</h2>
      <input type="search" role="combobox" aria-expanded="true" aria-controls="switch-list" aria-activedescendant=${active ? `switch-${this.chosen}` : nothing}
        aria-label="Part of the address" placeholder="Part of the address" autocomplete="off" spellcheck="false"
        @input=${(e) => this.#find(e.target.value.trim())} @keydown=${this.#key}>
      ${this.failure ? html`<p class="note bad" role="alert">${this.failure.message}</p>` : nothing}
      <ul id="switch-list" role="listbox" aria-label="Mailboxes">${this.list.map((m, i) => html`<li role="option" id="switch-${i}" aria-selected=${i === this.chosen}
        @click=${() => this.#take(m)}><bdi>${clean(m.mailbox)}</bdi> <span class="soft">${m.status === "paused" ? "paused" : `${count(m.holds.unseen)} not seen`}</span></li>`)}</ul>
      <p class="soft" role="status">${this.list.length === 0 && !this.failure ? (this.more ? "Searching…" : "No mailbox has this in its address.") : this.more ? "There are more: type a part of the address." : ""}</p>
      <div class="row end"><button type="button" @click=${() => this.#take(null)}>Cancel</button><button class="primary" ?disabled=${!active}>Open</button></div></form></dialog>`;
  }
}
customElements.define("mk-switcher", Switcher);
