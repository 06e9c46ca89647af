// The deployment at a glance, from its own metrics: what comes and goes, what waits, and what needs somebody's eye.

import { html, nothing, svg } from "../vendor/lit.js";
import { ask, send } from "../app/api.js";
import { ago, bytesOf, clean, count } from "../app/format.js";
import { held } from "../app/held.js";
import { root, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge, heading } from "../part/view.js";

const every = 5000; // milliseconds between two looks
const kept = 120; // looks that are drawn: ten minutes

// Metrics are the lines of a scrape by name.
class Metrics {
  #lines = new Map();

  constructor(text) {
    for (const [, name, labels, value] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)) {
      if (!this.#lines.has(name)) this.#lines.set(name, []);
      this.#lines.get(name).push({ labels: Object.fromEntries([...(labels ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v])), value: Number(value) });
    }
  }

  all(name) { return this.#lines.get(name) ?? []; }

  // sum adds all lines of a name; undefined: there is none.
  sum(name) { return this.#lines.has(name) ? this.all(name).reduce((n, l) => n + l.value, 0) : undefined; }

  // below is the bound that a share of a histogram's values does not exceed, in seconds.
  below(name, share) {
    const buckets = new Map();
    for (const { labels, value } of this.all(`${name}_bucket`)) buckets.set(labels.le, (buckets.get(labels.le) ?? 0) + value);
    const bounds = [...buckets].map(([le, n]) => [le === "+Inf" ? Infinity : Number(le), n]).sort(([a], [b]) => a - b);
    const total = bounds.at(-1)?.[1] ?? 0;
    return total ? bounds.find(([, n]) => n >= share * total)[0] : undefined;
  }
}

class Overview extends Page {
  static properties = { now: { state: true }, problems: { state: true } };

  constructor() {
    super();
    this.looks = [];
    this.drawn = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    held.addEventListener("change", this.drawn);
    this.watch = setInterval(() => { if (!document.hidden && this.ready) this.#look().catch(() => {}); }, every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    held.removeEventListener("change", this.drawn);
    clearInterval(this.watch);
  }

  async fetch() {
    this.problems = (await ask("GET", "problems")).problems;
    await this.#look();
  }

  async #look() {
    const response = await send("GET", "../metrics");
    this.now = new Metrics(await response.text());
    const came = this.now.sum("mailkin_mail_accepted_total") ?? 0, went = this.now.sum("mailkin_deliveries_accepted_total") ?? 0;
    this.looks = [...this.looks, { at: Date.now(), came, went }].slice(-kept);
  }

  content() {
    const m = this.now;
    const n = (name) => count(m.sum(name) ?? 0);
    const seconds = (name) => { const s = m.sum(name) ?? 0; return s < 1 ? "" : `, the oldest ${s < 90 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`}`; };
    const tile = (value, what, page, kind = "") => html`<a class="tile ${kind}" href=${page ? to(page) : nothing}><strong>${value}</strong><span class="soft">${what}</span></a>`;
    const free = m.sum("mailkin_disk_free_bytes"), size = m.sum("mailkin_disk_size_bytes"), least = m.sum("mailkin_disk_reserved_bytes") ?? 0;
    const lag = m.sum("mailkin_index_lag_seconds") ?? 0;
    const part = (name) => m.all("mailkin_store_bytes").filter((l) => l.labels.part === name).reduce((sum, l) => sum + l.value, 0);
    const backup = m.sum("mailkin_backup_last_timestamp_seconds");
    const ends = m.all("mailkin_certificate_expiry_timestamp_seconds").map((l) => l.value).sort((a, b) => a - b)[0];
    const started = m.sum("process_start_time_seconds");
    return html`${heading("Overview", html`This node, since it started ${started ? ago(new Date(started * 1000).toISOString()) : ""}. Counts of waiting work are over all nodes.`)}
      ${this.problems.length ? html`<section class="card"><h2>Needs an eye</h2><ul class="rows">${this.problems.map((p) => html`<li>${badge(p.status === "fail" ? "failed" : "held", p.status)} <strong>${clean(p.check)}</strong>: ${clean(p.found)} <span class="soft">${clean(p.next)}</span></li>`)}</ul></section>` : nothing}
      <h2>Mail</h2><div class="tiles">${tile(n("mailkin_mail_accepted_total"), "taken", "activity")}${tile(n("mailkin_mail_refused_total"), "recipients refused", "rejects")}
        ${tile(n("mailkin_mail_put_off_total"), "put off", "rejects")}${tile(n("mailkin_deliveries_accepted_total"), "delivered to others", "activity")}
        ${tile(n("mailkin_deliveries_refused_total"), "bounced", "activity")}${tile(percentiles(m), "to take a message, half and 99 % within")}</div>
      ${flow(this.looks)}
      <h2>Waiting</h2><div class="tiles">${tile(n("mailkin_deliveries_waiting"), `deliveries${seconds("mailkin_delivery_oldest_seconds")}`, "activity", (m.sum("mailkin_delivery_oldest_seconds") ?? 0) > 3600 ? "bad" : "")}
        ${tile(n("mailkin_webhook_events_waiting"), `events for webhooks${seconds("mailkin_webhook_lag_seconds")}`, "mailboxes", (m.sum("mailkin_webhook_lag_seconds") ?? 0) > 600 ? "bad" : "")}
        ${tile(n("mailkin_webhooks_failed_total"), "webhooks given up", "mailboxes")}${tile(held.text, "messages for approval", "reviews", held.number ? "warn" : "")}
        ${tile(n("mailkin_quarantine_total"), "quarantine actions", "quarantine")}${tile(lag < 1 ? "none" : `${Math.round(lag)} s`, "lag of the index")}</div>
      <h2>Machine</h2><div class="tiles">${free === undefined ? nothing : tile(bytesOf(free), `free of ${bytesOf(size)}`, "", free < 2 * least ? "bad" : "")}
        ${tile(bytesOf(part("database") || (m.sum("mailkin_store_bytes") ?? 0) - part("index")), "database")}${tile(bytesOf(part("index")), "index")}
        ${tile(backup ? ago(new Date(backup * 1000).toISOString()) : "never", "last backup", "", backup ? "" : "warn")}
        ${ends ? tile(ago(new Date(ends * 1000).toISOString()), "first certificate ends", "", ends * 1000 - Date.now() < 21 * 864e5 ? "bad" : "") : nothing}
        ${tile(n("mailkin_auth_failures_total"), "log-ins failed", "audit")}${tile(n("mailkin_mail_sessions"), "SMTP sessions now")}</div>
      <p class="soft">The same numbers are at <a href=${new URL("metrics", root).href} target="_blank" rel="noopener">/metrics</a> for Prometheus, with the token. Version ${clean(session.me.version)}.</p>`;
  }
}
customElements.define("mk-overview", Overview);

function percentiles(m) {
  const write = (s) => (s === undefined ? "none" : s === Infinity ? "more" : s < 1 ? `${s * 1000} ms` : `${s} s`);
  const [half, most] = [0.5, 0.99].map((share) => m.below("mailkin_mail_ingest_seconds", share));
  return half === undefined ? "none yet" : `${write(half)}, ${write(most)}`;
}

// flow draws messages a second over the last minutes.
function flow(looks) {
  const rates = looks.slice(1).map((l, i) => ({ came: (l.came - looks[i].came) * 1000 / (l.at - looks[i].at), went: (l.went - looks[i].went) * 1000 / (l.at - looks[i].at) }));
  const most = Math.max(1, ...rates.flatMap((r) => [r.came, r.went]));
  const last = rates.at(-1);
  const path = (kind) => rates.map((r, i) => `${(560 * (i + kept - rates.length)) / kept},${64 - (60 * Math.max(0, r[kind])) / most}`).join(" ");
  return html`<figure class="chart flow"><svg viewBox="0 0 560 66" role="img" aria-label="Messages a second, in and out"><line class="grid" x1="0" x2="560" y1="64" y2="64"></line>
    ${svg`<polyline class="in" fill="none" points=${path("came")}></polyline><polyline class="out" fill="none" points=${path("went")}></polyline>`}</svg>
    <figcaption class="soft">${last ? `${last.came.toFixed(1)} in and ${last.went.toFixed(1)} out a second now; ${most.toFixed(0)} at the top of the last ten minutes` : "A picture of the next minutes begins here."}</figcaption></figure>`;
}
