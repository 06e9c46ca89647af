// What happens in the mailbox, as it happens.

import { html, nothing } from "../vendor/lit.js";
import { clean, plural, subject } from "../app/format.js";
import { live } from "../app/live.js";
import { to } from "../app/route.js";
import { session } from "../app/session.js";
import { View, empty, heading } from "../part/view.js";
import { kinds, moment, select } from "../part/event.js";
import "../part/list.js";

class Events extends View {
  static properties = { kind: { state: true }, held: { state: true } };

  constructor() {
    super();
    this.kind = "";
    this.held = null; // the events that are shown while it stands still
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.changed);
    live.addEventListener("state", this.changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.changed);
    live.removeEventListener("state", this.changed);
  }

  move(by) { this.querySelector("mk-list")?.move(by); }

  render() {
    if (live.state === "paused") return html`<mk-paused></mk-paused>`;
    const all = this.held ?? live.events;
    const items = all.filter((e) => !this.kind || e.event === this.kind);
    return html`${heading("Events", html`What happens in <bdi>${clean(session.mailbox)}</bdi>, as it happens, and of the last quarter of an hour.`, html`
        ${select(this.kind, (kind) => { this.kind = kind; })}
        <button aria-pressed=${this.held !== null} @click=${() => { this.held = this.held ? null : live.events; }}>${this.held ? "Follow" : "Hold"}</button>`)}
      ${live.state === "off" ? html`<p class="note warn" role="status">Not connected. The console tries again by itself, and misses nothing.</p>` : nothing}
      ${items.length === 0 ? empty("Nothing has happened yet", "Mail that comes or goes appears here at once.")
        : html`<mk-list class="fill card" label="Events" height="56" .items=${items} .row=${(e) => row(e)} .foot=${html`<p class="listend">${plural(items.length, "event")}</p>`}></mk-list>`}`;
  }
}
customElements.define("mk-events", Events);

function row(e) {
  const [word, kind] = kinds[e.event] ?? [e.event, "plain"];
  const at = e.timestamp ?? e.received_at;
  return html`<article class="plainrow"><div><span class="badge event ${kind}">${word}</span>
    ${!e.email_id ? html`<a href=${to("outbox")}>The outbox</a>` : e.deleted ? html`<span class="soft">a message that was deleted since</span>`
      : html`<a href=${to(e.event === "message.received" ? "inbox" : "outbox", e.email_id)}><bdi>${subject(e.subject)}</bdi></a>`}
    ${e.code ? html`<code class="chip">${clean(e.code)}</code>` : nothing}
    <p class="soft"><bdi>${e.event === "message.received" ? `from ${clean(e.from)}` : e.email_id ? `to ${clean(e.recipient)}` : "sends nothing"}</bdi>${e.reason ? html` · <bdi>${clean(e.reason)}</bdi>` : nothing}</p></div>
    <div class="side soft">${moment(at)}<br><span class="mono">${e.id}</span></div></article>`;
}
