// A list that holds any number of rows and draws those that are seen. Rows are fetched as they come near.

import { html, nothing, repeat } from "../vendor/lit.js";
import { View } from "./view.js";

const margin = 12; // rows drawn above and below what is seen
const ahead = 60; // rows left below when the next are fetched

export class List extends View {
  static properties = {
    items: { attribute: false }, // loaded rows
    row: { attribute: false }, // (item, index) → template; the first link or button in it takes the focus
    key: { attribute: false }, // (item) → what tells it from others
    more: { attribute: false }, // () → promise; null: that is all
    height: { type: Number }, // of a row, in pixels
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
  }

  firstUpdated() {
    this.scroller = this.querySelector(".window");
    this.scroller.addEventListener("scroll", () => this.#measure(), { passive: true });
    this.watch = new ResizeObserver(() => this.#measure());
    this.watch.observe(this.scroller);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch?.disconnect();
  }

  updated(changed) {
    if (changed.has("items") || changed.has("more")) this.#measure();
  }

  #measure() {
    if (!this.scroller) return;
    const top = this.scroller.scrollTop;
    const from = Math.max(0, Math.floor(top / this.height) - margin);
    const to = Math.ceil((top + this.scroller.clientHeight) / this.height) + margin;
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
    if (this.scroller && this.scroller.scrollTop > 0) this.scroller.scrollTop += rows * this.height;
    if (this.current >= 0) this.current += rows;
  }

  get atTop() { return !this.scroller || this.scroller.scrollTop < this.height; }

  top() { this.scroller.scrollTop = 0; }

  // move goes some rows down, or up, and puts the focus there.
  async move(by) {
    if (this.items.length === 0) return;
    await this.focusRow(Math.min(Math.max(this.current + by, 0), this.items.length - 1));
  }

  async focusRow(index) {
    this.current = index;
    const top = index * this.height;
    const box = this.scroller;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + this.height > box.scrollTop + box.clientHeight) box.scrollTop = top + this.height - box.clientHeight;
    this.#measure();
    await this.updateComplete;
    this.querySelector(`[data-index="${index}"] :is(a, button)`)?.focus({ preventScroll: true });
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
      <div class="pad" .style=${`height:${from * this.height}px`}></div>
      <ul aria-label=${this.label} role="list">
        ${repeat(this.items.slice(from, to), this.key, (item, i) => html`<li data-index=${from + i} aria-setsize=${total}
          aria-posinset=${from + i + 1} .style=${`height:${this.height}px`}>${this.row(item, from + i)}</li>`)}
      </ul>
      <div class="pad" .style=${`height:${(n - to) * this.height}px`}></div>
      ${this.more ? html`<div class="listend" role="status"><span class="spinner" aria-hidden="true"></span>Loading more</div>` : this.foot}
    </div>`;
  }
}
customElements.define("mk-list", List);
