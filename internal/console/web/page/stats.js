// Numbers as pictures. All of them are the server's own, but for how long codes take, which is measured here on the newest.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { bytesOf, clean, count, plural } from "../app/format.js";
import { session } from "../app/session.js";
import { Page, heading } from "../part/view.js";
import { area, bars, parts, spread } from "../part/chart.js";

const spans = [[7, "7 days"], [30, "30 days"], [90, "90 days"]];
const timed = 25; // messages with a code whose way is timed

class Stats extends Page {
  static properties = { stats: { state: true }, days: { state: true }, latency: { state: true } };

  constructor() {
    super();
    this.days = 30;
  }

  async fetch(wanted) {
    const stats = await own("GET", "stats", { query: { days: this.days } });
    if (!wanted()) return;
    this.stats = stats;
    if (!session.reads()) return; // the codes are in mail that is not for the role
    this.latency ??= null;
    this.#time(wanted).catch(() => { this.latency = { failed: true }; });
  }

  // time says how long mail with a code took from being written to being here.
  async #time(wanted) {
    const newest = await own("GET", "inbox", { query: { direction: "inbound", query: "has:code", limit: timed } });
    const took = [];
    for (const { id } of newest.emails) {
      if (!wanted()) return;
      const m = await own("GET", "email", { query: { id } }).catch(() => null);
      if (m?.metadata.date) took.push(Math.max(0, (new Date(m.received_at) - new Date(m.metadata.date)) / 1000));
    }
    if (wanted()) this.latency = took;
  }

  #span(days) {
    this.days = days;
    this.load();
  }

  content() {
    const s = this.stats;
    const days = s.daily.map((d) => ({ ...d, at: new Date(`${d.day}T00:00:00Z`) }));
    const tile = (value, what) => html`<div class="tile"><strong>${value}</strong><span class="soft">${what}</span></div>`;
    return html`${heading("Statistics", html`Of <bdi>${clean(session.mailbox)}</bdi>.`, html`<div class="segments" role="group" aria-label="How far back">
        ${spans.map(([n, text]) => html`<button aria-pressed=${n === this.days} @click=${() => this.#span(n)}>${text}</button>`)}</div>
        <button class="small" @click=${() => this.load()}>Refresh</button>`)}
      <div class="tiles">${tile(count(s.inbound), "received")}${tile(count(s.outbound), "sent")}${tile(count(s.unseen), "not seen")}${tile(count(s.emails_this_month), "this month")}
        ${tile(bytesOf(s.storage_bytes), "stored")}${tile(count(s.suppression_count), "suppressed")}${s.quarantined ? tile(count(s.quarantined), "in quarantine") : nothing}</div>
      ${s.daily_complete ? nothing : html`<p class="note warn">There is more mail than is counted at a time: of these ${this.days} days, ${plural(days.length, "day")} could be, from the newest messages on.</p>`}
      <div class="charts">
        <section class="card"><h2>In and out per day</h2>${bars(days)}<p class="soft">Days of UTC. A message that was deleted is not counted.</p></section>
        <section class="card"><h2>What became of sent mail</h2>${parts(outcomes(days), `Nothing was sent in these ${this.days} days.`)}</section>
        <section class="card"><h2>How long codes take to arrive</h2>${arrival(this.latency)}</section>
        <section class="card"><h2>Storage</h2>${storage(s, days)}</section>
      </div>`;
  }
}
customElements.define("mk-stats", Stats);

// outcomes adds up what became of the mail of all days.
function outcomes(days) {
  const sums = {};
  for (const [status, n] of days.flatMap((d) => Object.entries(d.outcomes))) sums[status] = (sums[status] ?? 0) + n;
  return sums;
}

function arrival(latency) {
  if (latency === undefined) return html`<p class="soft">The codes of this mailbox are not for your role to read.</p>`;
  if (latency === null) return html`<p class="soft" role="status"><span class="spinner" aria-hidden="true"></span>Measuring</p>`;
  if (latency.failed) return html`<p class="soft">This could not be measured.</p>`;
  return html`${spread(latency)}
    ${latency.length ? html`<p class="soft">From the date in the mail to its acceptance here, of the newest ${plural(latency.length, "message")} with a code.</p>` : nothing}`;
}

// storage is how what is stored now has grown, and what is used of what there is, where there is a bound.
function storage(s, days) {
  const bound = session.me.limits.bytes;
  const mean = s.total_emails ? s.storage_bytes / s.total_emails : 0;
  let sum = s.storage_bytes - days.reduce((n, d) => n + d.bytes, 0);
  const points = days.map((d) => ({ at: d.at, value: (sum += d.bytes) }));
  return html`${bound ? html`<p>${bytesOf(s.storage_bytes)} of ${bytesOf(bound)} <meter class="wide" aria-label="Storage used" min="0" max=${bound} .value=${s.storage_bytes}></meter></p>` : nothing}
    ${area(points)}
    <p class="soft">What is stored now, by the day it came: ${bytesOf(s.storage_bytes)} in ${plural(s.total_emails, "message")}, ${bytesOf(Math.round(mean))} on average.
      ${s.index.pending || s.index.vectors_pending ? `${plural(s.index.pending, "message")} still to be indexed, ${count(s.index.vectors_pending)} without a vector.` : "Everything is indexed."}</p>`;
}
