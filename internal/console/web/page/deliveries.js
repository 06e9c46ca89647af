// What became of a message for each recipient, in the order in which it happened. When that was is in the mailbox's log of events.

import { html, nothing } from "../vendor/lit.js";
import { clean, moment, plural } from "../app/format.js";
import { live, replay } from "../app/live.js";
import { View, badge } from "../part/view.js";

const patience = 4000; // milliseconds that the log is read
const decided = ["delivered", "bounced", "failed", "complained"]; // those that have an event; captured has none
const types = "message.delivered,message.bounced,message.complained";

class Deliveries extends View {
  static properties = { mail: { attribute: false }, times: { state: true } };

  constructor() {
    super();
    this.times = new Map(); // of the latest event of each recipient
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  willUpdate(changed) {
    if (!changed.has("mail")) return;
    this.stop?.abort();
    this.times = new Map();
    for (const e of live.events.toReversed()) this.#note(e);
    if (!this.#complete()) this.#read();
  }

  #note(e) {
    if (e.email_id === this.mail.id && e.recipient && e.event !== "message.sent") this.times.set(e.recipient, e.timestamp);
  }

  // complete tells whether it is known of all that has come to an end when it did.
  #complete() { return this.mail.deliveries.every((d) => !decided.includes(d.status) || this.times.has(d.recipient)); }

  async #read() {
    const stop = this.stop = new AbortController();
    const limit = setTimeout(() => stop.abort(), patience);
    try {
      await replay({ since: this.mail.received_at, types }, stop.signal, (e) => {
        this.#note(e);
        if (this.#complete()) stop.abort();
      });
    } catch {
      // It is shown without.
    } finally {
      clearTimeout(limit);
      this.requestUpdate();
    }
  }

  render() {
    const m = this.mail;
    const at = (d) => this.times.get(d.recipient) ?? "9"; // what is not known comes last
    const list = m.deliveries.toSorted((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
    return html`<ol class="timeline">
      <li class="done"><time datetime=${m.received_at}>${moment(m.received_at)}</time><div><strong>Accepted</strong><p class="soft">Stored, and on its way to ${plural(m.deliveries.length, "recipient")}.</p></div></li>
      ${list.map((d) => row(d, this.times.get(d.recipient)))}</ol>`;
  }
}
customElements.define("mk-deliveries", Deliveries);

function row(d, at) {
  return html`<li class=${{ delivered: "done", captured: "done", bounced: "bad", failed: "bad", complained: "bad" }[d.status] ?? "open"}>
    <span>${at ? html`<time datetime=${at}>${moment(at)}</time>` : nothing}</span><div><strong><bdi>${clean(d.recipient)}</bdi></strong> ${badge(d.status)}
    <p>${d.last_code ? html`<code>${d.last_code}</code> ` : nothing}${clean(d.last_text) || "No server has answered yet."}</p>
    <p class="soft">${plural(d.attempts, "attempt")}${d.mx ? ` · ${d.simulated ? "simulated" : clean(d.mx)}` : ""}${d.tls ? ` · ${clean(d.tls)}` : ""}
      ${d.next_attempt_at ? ` · next attempt ${moment(d.next_attempt_at)}` : ""}${d.outcome ? ` · ${clean(d.outcome)}` : ""}</p></div></li>`;
}
