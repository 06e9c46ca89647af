// What happens over the whole deployment, for the operator. It is asked for every two seconds while somebody looks; nothing of what the
// messages say is in it, so that to watch is not to read.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { clean, count, plural } from "../app/format.js";
import { route, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, empty, heading } from "../part/view.js";
import { kinds, moment, select } from "../part/event.js";
import "../part/list.js";

const kept = 500; // rows that are shown
const every = 2000; // milliseconds
const keyOf = (h) => `${h.at} ${h.event} ${h.email_id}`;

class Activity extends Page {
  static properties = { items: { state: true }, kind: { state: true }, held: { state: true }, lost: { state: true }, missed: { state: true } };

  constructor() {
    super();
    this.items = [];
    this.kind = route.params.get("kind") ?? "";
    this.held = this.lost = this.missed = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch = setInterval(() => this.#follow(), every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.watch);
  }

  async fetch() {
    const { activity } = await ask("GET", "activity", { query: { limit: 100 } });
    const known = new Set(this.items.map(keyOf));
    const fresh = activity.filter((h) => !known.has(keyOf(h)) && known.add(keyOf(h)));
    this.missed = this.items.length > 0 && fresh.length === 100; // more happened than one answer holds
    if (fresh.length > 0) this.items = [...fresh, ...this.items].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, kept);
  }

  async #follow() {
    if (this.asking || !this.ready || this.held || document.hidden) return;
    this.asking = true;
    try {
      await this.fetch();
      this.lost = false;
    } catch {
      this.lost = true;
    } finally {
      this.asking = false;
    }
  }

  move(by) { this.querySelector("mk-list")?.move(by); }

  content() {
    const items = this.items.filter((h) => !this.kind || h.event === this.kind);
    return html`${heading("Activity", "The newest 100 events of all mailboxes, and what happens while you look. Opening a message is noted in the audit log; watching is not.", html`
        ${select(this.kind, (kind) => { this.kind = kind; settle("activity", "", { kind }); })}
        <button aria-pressed=${this.held} @click=${() => { this.held = !this.held; }}>${this.held ? "Follow" : "Hold"}</button>`)}
      ${this.lost ? html`<p class="note warn" role="status">The server cannot be reached. The console tries again by itself.</p>` : nothing}
      ${this.missed ? html`<p class="note" role="status">More happens than can be shown: these are the newest.</p>` : nothing}
      ${items.length === 0 && this.items.length > 0 ? empty("None of this kind", `There is none among the newest ${plural(this.items.length, "event")} of all mailboxes.`)
        : items.length === 0 ? empty("Nothing has happened yet", "Mail that comes or goes, for whichever mailbox, appears here.")
        : html`<mk-list class="fill card" label="Activity" height="44" .key=${keyOf} .items=${items} .row=${(h) => this.#row(h)}
            .foot=${html`<p class="listend">${this.kind ? `${plural(items.length, "event")} of the newest ${count(this.items.length)} of every kind` : `The newest ${plural(items.length, "event")}`}</p>`}></mk-list>`}`;
  }

  #row(h) {
    const [word, kind] = kinds[h.event] ?? [h.event, "plain"];
    const folder = h.event === "message.received" ? "inbox" : "outbox";
    return html`<article class="plainrow one"><div><span class="badge event ${kind}">${word}</span>
      ${session.reads(h.mailbox) ? html`<a href=${to(folder, h.email_id, {}, h.mailbox)} aria-label=${h.email_id
        ? `Open the message that ${clean(h.mailbox)} ${h.event === "message.received" ? "received" : "sent"}` : `Open the outbox of ${clean(h.mailbox)}`}><bdi>${clean(h.mailbox)}</bdi></a>` : html`<bdi>${clean(h.mailbox)}</bdi>`}</div>
      <div class="side soft">${moment(h.at)}</div></article>`;
  }
}
customElements.define("mk-activity", Activity);
