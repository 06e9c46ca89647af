// A conversation: its messages, oldest first, without what they quote, which a click unfolds.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, cleanText, moment, person } from "../app/format.js";
import { live } from "../app/live.js";
import { to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { icon } from "../part/icon.js";
import "../part/mailframe.js";

const longest = 100_000; // characters of a message that are shown at once

class Thread extends Page {
  static properties = { thread: {}, id: {}, designed: { state: true } };

  constructor() {
    super();
    this.designed = new Set(); // ids of messages that are shown as their senders designed them
    this.onMail = (e) => { if (this.ready && e.detail.thread_id === this.thread) this.load(); };
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
  }

  willUpdate(changed) {
    if (!changed.has("thread") || changed.get("thread") === undefined) return;
    this.ready = false;
    this.load();
  }

  async fetch() {
    const pager = new Pager({ path: "thread", query: { id: this.thread }, member: "emails", changed: () => this.requestUpdate() });
    await pager.next(50);
    this.pager = pager;
    this.dispatchEvent(new CustomEvent("loaded", { detail: pager.items }));
    this.#seen(pager.items);
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
    return html`<ol class="thread">${items.map((m) => html`<li class=${m.id === open ? "open" : ""}>
        <details ?open=${m.id === open || items.length < 4}><summary><strong><bdi>${person(m.from_name, m.from_address)}</bdi></strong>
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
      ${this.pager.more ? html`<button @click=${() => this.pager.next(50)}>Load more</button>` : nothing}`;
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
