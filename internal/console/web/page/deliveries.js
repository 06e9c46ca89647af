// What became of a message for each recipient: every attempt, with the words of the server that was asked.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { ago, clean, moment, plural } from "../app/format.js";
import { View, badge } from "../part/view.js";

// told are the kinds of the history that are about one recipient.
const told = ["attempt", "delivered", "bounced", "complained", "canceled"];

class Deliveries extends View {
  static properties = { mail: { attribute: false }, history: { state: true } };

  willUpdate(changed) {
    if (changed.has("mail")) this.#read(this.mail);
  }

  // read fetches what happened when. Without it, what it came to is shown all the same.
  async #read(mail) {
    const answer = await own("GET", "email/history", { query: { id: mail.id } }).catch(() => null);
    if (mail === this.mail) this.history = answer?.history ?? [];
  }

  render() {
    const m = this.mail;
    const counts = Object.entries(Object.groupBy(m.deliveries, (d) => d.status));
    return html`<p class="row">${counts.map(([status, list]) => badge(status, `${list.length} ${status}`))}
        ${m.send_at ? html`<span class="soft">leaves ${moment(m.send_at)}, ${ago(m.send_at)}</span>` : nothing}</p>
      <ol class="recipients">${m.deliveries.map((d) => this.#recipient(d))}</ol>`;
  }

  #recipient(d) {
    const steps = (this.history ?? []).filter((e) => told.includes(e.kind) && e.recipient === d.recipient);
    return html`<li class="card"><h3><bdi>${clean(d.recipient)}</bdi> ${badge(d.status)}${d.simulated && d.status !== "captured" ? html` <span class="badge plain">simulated</span>` : nothing}</h3>
      <ol class="timeline"><li class="done"><time datetime=${this.mail.received_at}>${moment(this.mail.received_at)}</time><div><strong>Accepted</strong></div></li>
        ${steps.map(step)}
        ${steps.length || !d.last_text ? nothing : html`<li class="${tone(d.status, d.last_code)}"><span></span><div>${answer(d.last_code, d.last_text)}</div></li>`}
        ${d.next_attempt_at ? html`<li class="open"><time datetime=${d.next_attempt_at}>${moment(d.next_attempt_at)}</time><div><strong>${d.attempts ? "Next attempt" : "First attempt"}</strong> <span class="soft">${ago(d.next_attempt_at)}</span></div></li>` : nothing}</ol>
      <p class="soft">${plural(d.attempts, "attempt")}${d.mx && !d.simulated ? ` · ${clean(d.mx)}` : ""}${d.tls ? ` · ${clean(d.tls)}` : ""}${d.outcome ? ` · ${clean(d.outcome)}: it may have arrived twice` : ""}</p></li>`;
  }
}
customElements.define("mk-deliveries", Deliveries);

function step(e) {
  const title = e.kind === "attempt" ? `Attempt ${e.attempt}` : e.kind[0].toUpperCase() + e.kind.slice(1);
  return html`<li class=${tone(e.kind === "attempt" ? e.status : e.kind, e.code)}><time datetime=${e.at}>${moment(e.at)}</time>
    <div><strong>${title}</strong> ${e.kind === "attempt" && e.status ? badge(e.status) : nothing}${e.code || e.answer ? answer(e.code, e.answer) : html`<p><bdi>${clean(e.text)}</bdi></p>`}
    ${e.server && e.server !== "capture" ? html`<p class="soft">${clean(e.server)}${e.tls ? ` · ${clean(e.tls)}` : ""}</p>` : nothing}</div></li>`;
}

// answer is what the other server said, in its words.
const answer = (code, text) => html`<p>${code ? html`<code>${code}</code> ` : nothing}<bdi>${clean(text)}</bdi></p>`;

function tone(status, code) {
  if (["bounced", "failed", "complained"].includes(status) || code >= 500) return "bad";
  return ["delivered", "captured", "sent"].includes(status) ? "done" : "open";
}
