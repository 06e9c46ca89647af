// A conversation: its messages, oldest first, without what they quote, which a click unfolds.

import { html, nothing, repeat } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, cleanText, moment, person } from "../app/format.js";
import { live } from "../app/live.js";
import { to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { icon } from "../part/icon.js";
import "../part/mailframe.js";

const soon = 120; // milliseconds: what happens at once is looked at once
const longest = 100_000; // characters of a message that are shown at once

class Thread extends Page {
  static properties = { thread: {}, id: {}, lost: { state: true }, designed: { state: true } };

  constructor() {
    super();
    this.designed = new Set(); // ids of messages that are shown as their senders designed them
    this.onMail = (e) => { if (e.detail.thread_id === this.thread) this.look(); };
    this.onLook = () => { if (!document.hidden) this.look(); };
    this.onGone = (e) => { if (this.pager?.items.some((m) => m.id === e.detail)) this.look(); };
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
    addEventListener("focus", this.onLook);
    addEventListener("mk-gone", this.onGone);
    document.addEventListener("visibilitychange", this.onLook);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
    removeEventListener("focus", this.onLook);
    removeEventListener("mk-gone", this.onGone);
    document.removeEventListener("visibilitychange", this.onLook);
    clearTimeout(this.soon);
  }

  willUpdate(changed) {
    if (!changed.has("thread") || changed.get("thread") === undefined) return;
    this.ready = this.lost = false;
    this.load();
  }

  async fetch(wanted) {
    const pager = await this.#pages(1);
    if (!wanted()) return;
    this.pager = pager;
    const { items } = pager;
    const open = items.some((m) => m.id === this.id) ? this.id : items.at(-1)?.id;
    this.unfolded = new Set(items.map((m) => m.id).filter((id) => id === open || items.length < 4));
    this.dispatchEvent(new Event("loaded"));
    this.#seen(items);
  }

  async #pages(least) {
    const pager = new Pager({ path: "thread", query: { id: this.thread }, member: "emails", changed: () => this.requestUpdate() });
    do await pager.next(50); while (!pager.done && pager.items.length < least);
    return pager;
  }

  // look finds, a moment later, what came and what was deleted: no event tells of the latter. What is read stays as it is.
  look() {
    if (!this.ready) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(async () => {
      const { thread, pager: before } = this;
      const pager = await this.#pages(before.items.length).catch((failure) => failure);
      if (thread !== this.thread || before !== this.pager || pager.status && pager.status !== 404) return;
      this.lost = pager.status === 404;
      if (this.lost) return this.dispatchEvent(new Event("lost"));
      const known = new Set(before.items.map((m) => m.id));
      for (const m of pager.items) if (!known.has(m.id)) this.unfolded.add(m.id);
      this.pager = pager;
      this.requestUpdate();
      this.#seen(pager.items);
    }, soon);
  }

  // seen notes that a person has them before the eyes now.
  async #seen(items) {
    if (!session.may) return;
    const fresh = items.filter((m) => m.direction === "inbound" && !m.seen);
    await Promise.all(fresh.slice(-20).map((m) => own("PATCH", "email", { query: { id: m.id }, body: { seen: true } }).catch(() => {})));
    if (fresh.length) dispatchEvent(new Event("mk-counted"));
  }

  #design(id) {
    this.designed.has(id) ? this.designed.delete(id) : this.designed.add(id);
    this.designed = new Set(this.designed);
  }

  #deed(name, id) { this.dispatchEvent(new CustomEvent("deed", { detail: { name, id }, bubbles: true })); }

  content() {
    const { items } = this.pager;
    const open = items.some((m) => m.id === this.id) ? this.id : items.at(-1)?.id;
    return html`${this.lost ? html`<p class="note warn" role="status">This conversation was deleted.</p>` : nothing}<ol class="thread">${repeat(items, (m) => m.id, (m) => html`<li class=${m.id === open ? "open" : ""}>
        <details ?open=${this.unfolded.has(m.id)}><summary><strong><bdi>${person(m.from_name, m.from_address)}</bdi></strong>
          <span class="soft">${moment(m.received_at)}</span>${m.direction === "outbound" ? badge(m.status, `sent, ${m.status}`) : m.trust.level === "suspicious" ? badge("suspicious") : nothing}
          ${m.screening && m.screening.verdict !== "clean" ? badge(m.screening.verdict) : nothing}
          ${m.attachments.length ? html`<span title="Has attachments">${icon("clip")}</span>` : nothing}
          <bdi class="soft snippet">${clean(m.snippet)}</bdi></summary>
        ${this.designed.has(m.id) ? html`<mk-mailframe .mail=${m} @failed=${() => this.#design(m.id)}></mk-mailframe>` : folded(m.body_text)}
        <p class="row">${session.may ? html`<button class="small" @click=${() => this.#deed("reply", m.id)}>${icon("reply")}Reply</button>
            <button class="small" @click=${() => this.#deed("all", m.id)}>${icon("all")}Reply all</button>
            <button class="small" @click=${() => this.#deed("forward", m.id)}>${icon("forward")}Forward</button>` : nothing}
          ${m.body_html ? html`<button class="small" aria-pressed=${this.designed.has(m.id)} @click=${() => this.#design(m.id)}>Its design</button>` : nothing}
          ${m.id === this.id ? nothing : html`<a class="button small" href=${to(m.direction === "outbound" ? "outbox" : "inbox", m.id)}>Open this message</a>`}</p></details></li>`)}</ol>
      ${this.pager.more ? html`<button ?disabled=${this.busy} @click=${() => this.act(() => this.pager.next(50))}>Load more</button>` : nothing}`;
  }
}
customElements.define("mk-thread", Thread);

// folded shows a text, and what it quotes behind a button: lines that begin with >, with the line that introduces them.
export function folded(text) {
  return html`<div class="text" dir="auto">${pieces(cleanText((text || "").slice(0, longest))).map((p) => (p.quote
    ? html`<details class="quote"><summary>${p.lines.length === 1 ? "1 quoted line" : `${p.lines.length} quoted lines`}</summary><blockquote>${p.lines.join("\n")}</blockquote></details>`
    : html`<pre class="text">${p.lines.join("\n")}</pre>`))}</div>`;
}

const introduces = /:\s*$/; // "On Monday, Kim wrote:", in any language

export function pieces(text) {
  const list = [];
  for (const line of text.trimEnd().split(/\r?\n/)) {
    const quote = /^\s{0,3}>/.test(line);
    const last = list.at(-1);
    if (last?.quote === quote) last.lines.push(line);
    else if (quote && last && introduces.test(last.lines.findLast((l) => l.trim()) ?? "")) {
      const at = last.lines.findLastIndex((l) => l.trim());
      list.push({ quote, lines: [...last.lines.splice(at), line] });
    } else list.push({ quote, lines: [line] });
  }
  return list.filter((p) => p.quote || p.lines.some((l) => l.trim()));
}
