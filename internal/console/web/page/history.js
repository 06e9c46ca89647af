// Everything that happened to a message, the oldest first.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, moment } from "../app/format.js";
import { Page } from "../part/view.js";

class History extends Page {
  static properties = { mail: { attribute: false }, entries: { state: true } };

  willUpdate(changed) {
    if (changed.get("mail")) this.load({ quiet: true }); // something happened to it
  }

  async fetch(wanted) {
    const answer = await own("GET", "email/history", { query: { id: this.mail.id } });
    if (!wanted()) return;
    this.truncated = answer.truncated;
    this.entries = answer.history;
  }

  content() {
    return html`${this.truncated ? html`<p class="note plain">There was more: the oldest is missing.</p>` : nothing}
      <ol class="timeline">${this.entries.map((e) => html`<li class=${tone(e)}><time datetime=${e.at}>${moment(e.at)}</time>
        <div><strong>${clean(e.kind)}</strong><p><bdi>${clean(e.text)}</bdi></p></div></li>`)}</ol>`;
  }
}
customElements.define("mk-history", History);

// tone is how an entry looks: what went wrong, and what is still open, stand out.
function tone(e) {
  if (["bounced", "complained"].includes(e.kind) || e.kind === "webhook" && e.reason || e.code >= 500) return "bad";
  return e.kind === "attempt" && !(e.code < 400) ? "open" : "done";
}
