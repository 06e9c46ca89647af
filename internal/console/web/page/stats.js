// Numbers as pictures. Totals are the server's own; what is drawn per day is counted here from the newest messages.

import { html, nothing } from "../vendor/lit.js";
import { own, pages } from "../app/api.js";
import { bytesOf, clean, count, plural } from "../app/format.js";
import { session } from "../app/session.js";
import { Page, heading } from "../part/view.js";
import { bars, parts, spread } from "../part/chart.js";

const days = 14;
const most = 3000; // messages that are looked at
const timed = 40; // messages with a code whose way is timed

class Stats extends Page {
  static properties = { stats: { state: true }, drawn: { state: true }, latency: { state: true }, routes: { state: true } };

  async fetch() {
    this.stats = await own("GET", "stats");
    this.#look().catch(() => { this.drawn = { failed: true }; });
  }

  // look reads the list of the last days, newest first, and counts.
  async #look() {
    const start = new Date();
    start.setHours(0, 0, 0, 0);
    start.setDate(start.getDate() - days + 1);
    const perDay = Array.from({ length: days }, (_, i) => ({ day: new Date(start.getFullYear(), start.getMonth(), start.getDate() + i), inbound: 0, outbound: 0 }));
    const outcomes = {};
    const coded = [];
    let looked = 0;
    for await (const page of pages("inbox", { since: start.toISOString() })) {
      for (const m of page.emails) {
        const day = perDay.findLast((d) => new Date(m.received_at) >= d.day);
        if (day) day[m.direction]++;
        if (m.direction === "outbound") outcomes[m.status] = (outcomes[m.status] ?? 0) + 1;
        if (m.code && m.direction === "inbound" && coded.length < timed) coded.push(m.id);
      }
      looked += page.emails.length;
      this.drawn = { perDay, outcomes, looked, partial: Boolean(page.next_cursor) };
      if (looked >= most) break;
    }
    await this.#time(coded);
  }

  // time says how long mail with a code took from being written to being here.
  async #time(ids) {
    const took = [];
    for (const id of ids) {
      const m = await own("GET", "email", { query: { id } }).catch(() => null);
      const written = m?.metadata.date;
      if (written) took.push(Math.max(0, (new Date(m.received_at) - new Date(written)) / 1000));
      this.latency = [...took];
    }
    this.latency = took;
  }

  content() {
    const s = this.stats;
    const d = this.drawn;
    const tile = (value, what) => html`<div class="tile"><strong>${value}</strong><span class="soft">${what}</span></div>`;
    return html`${heading("Statistics", html`Of <bdi>${clean(session.mailbox)}</bdi>.`, html`<button class="small" @click=${() => this.load()}>Refresh</button>`)}
      <div class="tiles">${tile(count(s.inbound), "received")}${tile(count(s.outbound), "sent")}${tile(count(s.unseen), "not seen")}${tile(count(s.emails_this_month), "this month")}
        ${tile(bytesOf(s.storage_bytes), "stored")}${tile(count(s.suppression_count), "suppressed")}</div>
      <div class="charts">
        <section class="card"><h2>In and out per day</h2>${d?.perDay ? bars(d.perDay) : waiting(d)}
          ${d?.partial && d.looked >= most ? html`<p class="soft">Counted from the newest ${count(d.looked)} messages.</p>` : nothing}</section>
        <section class="card"><h2>What became of sent mail</h2>${d?.outcomes ? parts(d.outcomes, "Nothing was sent in these two weeks.") : waiting(d)}</section>
        <section class="card"><h2>How long codes take to arrive</h2>${this.latency ? spread(this.latency) : waiting(d)}
          <p class="soft">From the date in the mail to its acceptance here, of the newest ${plural(this.latency?.length ?? 0, "message")} with a code.</p></section>
        <section class="card"><h2>Storage</h2>${storage(s)}
          ${s.index.pending || s.index.vectors_pending ? html`<p class="soft">${plural(s.index.pending, "message")} still to be indexed, ${count(s.index.vectors_pending)} without a vector.</p>` : html`<p class="soft">Everything is indexed.</p>`}</section>
      </div>`;
  }
}
customElements.define("mk-stats", Stats);

function waiting(d) {
  return d?.failed ? html`<p class="soft">This could not be counted.</p>` : html`<p class="soft" role="status"><span class="spinner"></span>Counting</p>`;
}

// storage is what is used of what there is, where there is a bound, and what a message takes on average.
function storage(s) {
  const bound = session.provisional ? session.me.limits.provisional_bytes : 0;
  const mean = s.total_emails ? s.storage_bytes / s.total_emails : 0;
  return html`<p class="big">${bytesOf(s.storage_bytes)}${bound ? html` <span class="soft">of ${bytesOf(bound)}</span>` : nothing}</p>
    ${bound ? html`<meter class="wide" aria-label="Storage used" min="0" max=${bound} .value=${s.storage_bytes}></meter>` : nothing}
    <dl class="facts"><dt>Messages</dt><dd>${count(s.total_emails)}</dd><dt>On average</dt><dd>${bytesOf(Math.round(mean))} a message</dd></dl>`;
}
