// A list that holds any number of rows and draws those that are seen. Rows are fetched as they come near.
//
// A row that comes takes over the elements of one that goes: to make them is most of what scrolling costs, and the library leaves a
// comment behind for each that it takes away (lit issue 5298).

import { html, nothing, repeat } from "../vendor/lit.js";
import { View } from "./view.js";

const margin = 12; // rows drawn above and below what is seen
const ahead = 60; // rows left below when the next are fetched
const several = 4; // rows that come at once
const phone = matchMedia("(max-width: 800px)"); // as in the style sheet

export class List extends View {
  static properties = {
    items: { attribute: false }, // loaded rows
    row: { attribute: false }, // (item, index) → template; the first link or button in it takes the focus, or the row itself
    key: { attribute: false }, // (item) → what tells it from others
    more: { attribute: false }, // () → promise; null: that is all
    height: { type: Number }, // of a row, in pixels
    narrow: { type: Number }, // the same on a phone, where it is another one
    label: {},
    foot: { attribute: false }, // what stands below the last row
    from: { state: true },
    to: { state: true },
  };

  constructor() {
    super();
    this.items = [];
    this.key = (item) => item.id;
    this.more = null;
    this.height = 56;
    this.foot = nothing;
    this.from = 0;
    this.to = 40;
    this.current = -1; // the row that j and k move from
    this.slots = new Map(); // whose elements a row has, by its key
    this.made = 0;
    this.turned = () => { this.requestUpdate(); this.#measure(); };
  }

  // each is the height of a row as it is drawn.
  get each() { return phone.matches && this.narrow || this.height; }

  connectedCallback() {
    super.connectedCallback();
    phone.addEventListener("change", this.turned);
  }

  willUpdate(changed) {
    this.rows = this.items.slice(this.from, this.to);
    const keys = this.rows.map(this.key);
    const stay = keys.filter((k) => this.slots.has(k));
    const kept = new Set(stay.map((k) => this.slots.get(k)));
    const focused = this.#focusedSlot();
    if (changed.has("from") && keys.length === this.slots.size && keys.length - stay.length > several && !kept.has(focused)) {
      kept.clear(); // to move elements costs more than to write into all of them
    }
    if (focused >= 0 && !kept.has(focused)) this.scroller.focus({ preventScroll: true }); // its elements become another's
    const free = [...this.slots.values()].filter((s) => !kept.has(s)); // in the order in which they stand
    let next = 0;
    this.slots = new Map(keys.map((k) => [k, kept.has(this.slots.get(k)) ? this.slots.get(k) : free[next++] ?? this.made++]));
  }

  // focusedSlot is whose elements have the focus; -1: none of ours.
  #focusedSlot() {
    const row = document.activeElement?.closest?.("[data-slot]");
    return row && this.contains(row) ? Number(row.dataset.slot) : -1;
  }

  firstUpdated() {
    this.scroller = this.querySelector(".window");
    this.scroller.addEventListener("scroll", () => this.#measure(), { passive: true });
    this.watch = new ResizeObserver(() => this.#measure());
    this.watch.observe(this.scroller);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    phone.removeEventListener("change", this.turned);
    this.watch?.disconnect();
  }

  updated(changed) {
    if (changed.has("items") || changed.has("more")) this.#measure();
  }

  #measure() {
    if (!this.scroller) return;
    const top = this.scroller.scrollTop;
    const drawn = Math.ceil(this.scroller.clientHeight / this.each) + 1 + 2 * margin; // as many wherever we are
    const from = Math.max(0, Math.min(Math.floor(top / this.each) - margin, this.items.length - drawn));
    const to = from + drawn;
    if (from !== this.from || to !== this.to) [this.from, this.to] = [from, to];
    if (this.more && to + ahead > this.items.length) this.#fetch();
  }

  async #fetch() {
    if (this.fetching) return;
    this.fetching = true;
    try {
      await this.more();
    } finally {
      this.fetching = false;
    }
  }

  // grown keeps what is seen in its place after rows were put before it.
  grown(rows) {
    if (this.scroller && this.scroller.scrollTop > 0) this.scroller.scrollTop += rows * this.each;
    if (this.current >= 0) this.current += rows;
  }

  get atTop() { return !this.scroller || this.scroller.scrollTop < this.each; }

  top() { this.scroller.scrollTop = 0; }

  // move goes some rows down, or up, and puts the focus there.
  async move(by) {
    if (this.items.length === 0) return;
    await this.focusRow(Math.min(Math.max(this.current + by, 0), this.items.length - 1));
  }

  async focusRow(index) {
    this.current = index;
    const top = index * this.each;
    const box = this.scroller;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + this.each > box.scrollTop + box.clientHeight) box.scrollTop = top + this.each - box.clientHeight;
    this.#measure();
    await this.updateComplete;
    if (document.activeElement?.matches("input:not([type=checkbox]), textarea, select")) return; // somebody types there by now
    const row = this.querySelector(`[data-index="${index}"]`);
    (row?.querySelector("a, button") ?? row)?.focus({ preventScroll: true });
  }

  #focused(e) {
    const row = e.target.closest("[data-index]");
    if (row) this.current = Number(row.dataset.index);
  }

  render() {
    const n = this.items.length;
    const to = Math.min(this.to, n);
    const from = Math.min(this.from, to);
    const total = this.more ? -1 : n;
    return html`<div class="window" tabindex="-1" @focusin=${this.#focused}>
      <div class="pad" .style=${`height:${from * this.each}px`}></div>
      <ul aria-label=${this.label} role="list">
        ${repeat(this.rows, (item) => this.slots.get(this.key(item)), (item, i) => html`<li data-slot=${this.slots.get(this.key(item))} data-index=${from + i} tabindex="-1" aria-setsize=${total}
          aria-posinset=${from + i + 1} .style=${`height:${this.each}px`}>${this.row(item, from + i)}</li>`)}
      </ul>
      <div class="pad" .style=${`height:${(n - to) * this.each}px`}></div>
      ${this.more ? html`<div class="listend" role="status"><span class="spinner" aria-hidden="true"></span>Loading more</div>` : this.foot}
    </div>`;
  }
}
customElements.define("mk-list", List);
