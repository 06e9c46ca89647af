// The conversation that a message belongs to, oldest first.

import { html, nothing } from "../vendor/lit.js";
import { clean, cleanText, moment, person } from "../app/format.js";
import { to } from "../app/route.js";
import { Page, badge } from "../part/view.js";
import { Pager } from "../part/pager.js";

class Thread extends Page {
  static properties = { thread: {}, id: {}, folder: {} };

  async fetch() {
    this.pager = new Pager({ path: "thread", query: { id: this.thread }, member: "emails", changed: () => this.requestUpdate() });
    await this.pager.next(50);
  }

  content() {
    return html`<ol class="thread">${this.pager.items.map((m) => html`<li class=${m.id === this.id ? "open" : ""}>
        <details ?open=${m.id === this.id}><summary><strong><bdi>${person(m.from_name, m.from_address)}</bdi></strong>
          <span class="soft">${moment(m.received_at)}</span>${m.direction === "outbound" ? badge(m.status, `sent, ${m.status}`) : nothing}
          <bdi class="soft snippet">${clean(m.snippet)}</bdi></summary>
        <pre class="text" dir="auto">${cleanText((m.reply_text || m.body_text).slice(0, 100_000))}</pre>
        ${m.id === this.id ? nothing : html`<a class="button small" href=${to(m.direction === "outbound" ? "outbox" : "inbox", m.id)}>Open this message</a>`}</details></li>`)}</ol>
      ${this.pager.more ? html`<button @click=${() => this.pager.next(50)}>Load more</button>` : nothing}`;
  }
}
customElements.define("mk-thread", Thread);
