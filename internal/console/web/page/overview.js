// The deployment at a glance, from its own metrics: what comes and goes, what waits, and what needs somebody's eye.

import { html, nothing, svg } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, bytesOf, clean, count } from "../app/format.js";
import { held } from "../app/held.js";
import { scrape, within } from "../app/metrics.js";
import { pageOf } from "../app/pages.js";
import { root, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge, heading } from "../part/view.js";
import { bars, parts, verdicts } from "../part/chart.js";

const every = 5000; // milliseconds between two looks
const kept = 120; // looks that are drawn: ten minutes
const counted = 60_000; // milliseconds between two counts of all mail
const spans = [["hours", 24, "24 hours"], ["hours", 168, "7 days by hour"], ["days", 30, "30 days"], ["days", 90, "90 days"]];
const reading = 1000; // milliseconds between two requests while messages are screened
const ingest = "mailkin_mail_ingest_seconds";
const undelivered = "status=bounced,failed,complained,suppressed"; // as the outbox has it
const named = 10; // mailboxes that are named
const lasting = 3653 * 864e5; // milliseconds that no certificate of an authority lasts; the self-made one, for STARTTLS alone, does

// opens tells whether a page is there for this role: that of a mailbox whose mail it may not read is not.
const opens = (page, box) => Boolean(pageOf(page)) && (page !== "inbox" && page !== "outbox" || session.reads(box));

class Overview extends Page {
  static properties = { now: { state: true }, problems: { state: true }, volume: { state: true }, span: { state: true }, found: { state: true }, nodes: { state: true } };

  constructor() {
    super();
    this.looks = [];
    this.span = 0;
    this.drawn = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    held.addEventListener("change", this.drawn);
    this.watch = setInterval(() => { if (!document.hidden && this.ready) this.#look().catch(() => {}); }, every);
    this.slow = setInterval(() => { if (!document.hidden && this.ready) this.#count().catch(() => {}); }, counted);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    held.removeEventListener("change", this.drawn);
    clearInterval(this.watch);
    clearInterval(this.slow);
    clearTimeout(this.soon);
  }

  async fetch() {
    const [{ problems }, { nodes }] = await Promise.all([ask("GET", "problems"), ask("GET", "nodes"), this.#look(), this.#count()]);
    [this.problems, this.nodes] = [problems, nodes];
  }

  // count asks how much mail there is of each hour or day.
  async #count() {
    const [unit, n] = spans[this.span];
    this.volume = await ask("GET", "overview", { query: { [unit]: n } });
    this.#screen();
  }

  // screen asks what screening found: a request reads some of the mail, and the next one goes on.
  async #screen() {
    clearTimeout(this.soon);
    const span = this.span;
    const [unit, n] = spans[span];
    const found = await ask("GET", "overview/screening", { query: { [unit]: n } }).catch(() => null);
    if (!found || span !== this.span || !this.isConnected) return;
    this.found = found;
    if (found.more) this.soon = setTimeout(() => (document.hidden ? null : this.#screen()), reading);
  }

  #choose(span) {
    this.span = span;
    this.found = undefined;
    this.act(() => this.#count());
  }

  async #look() {
    this.now = await scrape();
    const came = this.now.sum("mailkin_mail_accepted_total") ?? 0, went = this.now.sum("mailkin_deliveries_accepted_total") ?? 0;
    this.looks = [...this.looks, { at: Date.now(), came, went }].slice(-kept);
  }

  content() {
    const m = this.now;
    const n = (name) => count(m.sum(name) ?? 0);
    const seconds = (name) => { const s = m.sum(name) ?? 0; return s < 1 ? "" : `, the oldest ${s < 90 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`}`; };
    const tile = (value, what, page, kind = "", params = {}, box = undefined) => (opens(page, box) ? html`<a class="tile ${kind}" href=${to(page, "", params, box)}><strong>${value}</strong><span class="soft">${what}</span></a>`
      : html`<div class="tile ${kind}"><strong>${value}</strong><span class="soft">${what}</span></div>`);
    const free = m.sum("mailkin_disk_free_bytes"), size = m.sum("mailkin_disk_size_bytes"), least = m.sum("mailkin_disk_reserved_bytes") ?? 0;
    const lag = m.sum("mailkin_index_lag_seconds") ?? 0;
    const part = (name) => m.all("mailkin_store_bytes").filter((l) => l.labels.part === name).reduce((sum, l) => sum + l.value, 0);
    const backup = m.sum("mailkin_backup_last_timestamp_seconds");
    const ends = m.all("mailkin_certificate_expiry_timestamp_seconds").map((l) => l.value).sort((a, b) => a - b).find((end) => end * 1000 - Date.now() < lasting);
    const started = m.sum("process_start_time_seconds");
    const v = this.volume;
    const hooks = v.failed_webhooks.length < 50 ? count(v.failed_webhooks.length) : "50+";
    const failed = `${hooks} ${v.failed_webhooks.length === 1 ? "mailbox has" : "mailboxes have"} a failed webhook that`;
    const days = v.volume.map((d) => ({ ...d, at: new Date(d.at), hour: v.each === "hour" }));
    const outcomes = {};
    for (const [status, k] of days.flatMap((d) => Object.entries(d.outcomes))) outcomes[status] = (outcomes[status] ?? 0) + k;
    const sum = (name) => days.reduce((k, d) => k + d[name], 0);
    // lost leads to the outbox of the mailbox that has such mail, or to what happens.
    const lost = (kind, state) => (state && v.undelivered.length ? ["outbox", state, { f: undelivered }, v.undelivered[0]] : ["activity", state, { kind }]);
    return html`${heading("Overview", html`This node, since it started ${started ? ago(new Date(started * 1000).toISOString()) : ""}. Counts of waiting work are over all nodes.`)}
      ${this.problems.length || v.failed_webhooks.length ? html`<section class="card"><h2>Needs an eye</h2><ul class="rows">${this.problems.map((p) => html`<li>${badge(p.status === "fail" ? "failed" : "held", p.status)} <strong>${clean(p.check)}</strong>: ${clean(p.found)} <span class="soft">${clean(p.next)}</span></li>`)}
        ${v.failed_webhooks.length ? html`<li>${badge("failed", "fail")} <strong>webhooks</strong>: ${failed} nothing is posted to. <a href=${to("webhooks", "", { status: "failed" }, v.failed_webhooks[0])}>Look at <bdi>${clean(v.failed_webhooks[0])}</bdi></a></li>` : nothing}</ul></section>` : nothing}
      <h2>Mail of all mailboxes, ${spans[this.span][2]}</h2>
      <div class="segments noprint" role="group" aria-label="How far back">${spans.map(([, , text], i) => html`<button aria-pressed=${i === this.span} ?disabled=${this.busy} @click=${() => this.#choose(i)}>${text}</button>`)}<button @click=${() => print()}>Print</button></div>
      ${v.complete ? nothing : html`<p class="note warn">There is more mail than is counted at a time: the newest mailboxes were.</p>`}
      <div class="tiles">${tile(count(sum("received")), "received", "activity", "", { kind: "message.received" })}${tile(count(sum("sent")), "sent", "activity", "", { kind: "message.sent" })}${tile(bytesOf(sum("bytes")), "of mail", "mailboxes")}
        ${tile(count((outcomes.bounced ?? 0) + (outcomes.failed ?? 0)), "bounced or failed", ...lost("message.bounced", outcomes.bounced || outcomes.failed ? "warn" : ""))}${tile(count(outcomes.complained ?? 0), "complained about", ...lost("message.complained", outcomes.complained ? "bad" : ""))}
        ${this.#findings(tile)}${tile(count(v.mailboxes), v.mailboxes === 1 ? "mailbox" : "mailboxes", "mailboxes")}${tile(count(v.paused), "paused", "mailboxes", v.paused ? "warn" : "", { status: "paused" })}</div>
      <div class="charts"><section class="card"><h2>In and out per ${v.each}</h2>${bars(days)}<p class="soft">Times of UTC. A message that was deleted is not counted.</p></section>
        ${this.#screened()}
        <section class="card"><h2>What became of sent mail</h2>${parts(outcomes, "Nothing was sent in this time.")}</section></div>
      ${whose("Mailboxes with mail that was not delivered", v.undelivered, "outbox", { f: undelivered })}${whose("Mailboxes with a failed webhook", v.failed_webhooks, "webhooks", { status: "failed" })}${whose("Mailboxes that the brakes have stopped", v.sending_paused, "mailbox")}
      <h2>This node</h2><div class="tiles">${tile(n("mailkin_mail_accepted_total"), "taken", "activity", "", { kind: "message.received" })}${tile(n("mailkin_mail_refused_total"), "recipients refused", "rejects")}
        ${tile(n("mailkin_mail_put_off_total"), "put off", "rejects")}${tile(n("mailkin_deliveries_accepted_total"), "delivered to others", "activity", "", { kind: "message.delivered" })}
        ${tile(n("mailkin_deliveries_refused_total"), "bounced", "activity", "", { kind: "message.bounced" })}${tile(m.below(ingest, 1) === undefined ? "none yet" : `${within(m, ingest, 0.5)}, ${within(m, ingest, 0.99)}`, "to take a message, half and 99 % within", "nodes")}</div>
      ${flow(this.looks)}
      <h2>Waiting</h2><div class="tiles">${tile(n("mailkin_deliveries_waiting"), `deliveries${seconds("mailkin_delivery_oldest_seconds")}`, "queue", (m.sum("mailkin_delivery_oldest_seconds") ?? 0) > 3600 ? "bad" : "")}
        ${tile(n("mailkin_webhook_events_waiting"), `events for webhooks${seconds("mailkin_webhook_lag_seconds")}`, "activity", (m.sum("mailkin_webhook_lag_seconds") ?? 0) > 600 ? "bad" : "")}
        ${tile(hooks, v.failed_webhooks.length === 1 ? "mailbox with a failed webhook" : "mailboxes with a failed webhook", v.failed_webhooks.length ? "webhooks" : "mailboxes", v.failed_webhooks.length ? "bad" : "", { status: v.failed_webhooks.length ? "failed" : "" }, v.failed_webhooks[0])}${tile(held.text, "messages for approval", "reviews", held.number ? "warn" : "")}
        ${tile(n("mailkin_quarantine_total"), "quarantine actions", "quarantine")}${tile(lag < 1 ? "none" : `${Math.round(lag)} s`, "lag of the index", "nodes")}</div>
      <h2>Machine</h2><div class="tiles">${tile(count(this.nodes.length), this.nodes.length === 1 ? "node" : "nodes", "nodes", this.nodes.some((x) => x.status === "silent") ? "bad" : "")}${free === undefined ? nothing : tile(bytesOf(free), `free of ${bytesOf(size)}`, "nodes", free < 2 * least ? "bad" : "")}
        ${tile(bytesOf(part("database") || (m.sum("mailkin_store_bytes") ?? 0) - part("index")), "database", "nodes")}${tile(bytesOf(part("index")), "index", "nodes")}
        ${tile(backup ? ago(new Date(backup * 1000).toISOString()) : "never", "last backup", "nodes", backup ? "" : "warn")}
        ${ends ? tile(ago(new Date(ends * 1000).toISOString()), "first certificate ends", "nodes", ends * 1000 - Date.now() < 21 * 864e5 ? "bad" : "") : nothing}
        ${tile(n("mailkin_auth_failures_total"), "log-ins failed", "nodes")}${tile(n("mailkin_mail_sessions"), "SMTP sessions now", "nodes")}</div>
      <p class="soft">The same numbers are at <a href=${new URL("metrics", root).href} target="_blank" rel="noopener">/metrics</a> for Prometheus, with the token. Version ${clean(session.me.version)}.</p>`;
  }

  // findings are how much mail is not clean; they lead to the mailbox that has most of it.
  #findings(tile) {
    const f = this.found;
    const sum = (name) => f.volume.reduce((n, d) => n + d[name], 0);
    const one = (name, what, kind) => {
      const most = f?.mailboxes.toSorted((a, b) => b[name] - a[name])[0];
      const [value, bad] = f ? [sum(name), sum(name) > 0] : [0, false];
      return tile(f ? `${count(value)}${f.more ? "…" : ""}` : "…", what, most?.[name] ? "inbox" : "", bad ? kind : "", { f: `screening=${name}` }, most?.mailbox);
    };
    return html`${one("dangerous", "dangerous to a model", "bad")}${one("flagged", "flagged", "warn")}`;
  }

  // screened shows what screening found over time, and in which mailboxes.
  #screened() {
    const f = this.found;
    if (!f) return html`<section class="card"><h2>What screening found</h2><p class="soft" role="status"><span class="spinner" aria-hidden="true"></span>Reading</p></section>`;
    const unknown = f.volume.reduce((n, d) => n + d.unknown, 0);
    const link = (box, name) => (!box[name] ? nothing : !opens("inbox", box.mailbox) ? html` <span class="badge plain">${count(box[name])} ${name}</span>` : html` <a class="badge ${name === "dangerous" ? "bad" : "warn"}" href=${to("inbox", "", { f: `screening=${name}` }, box.mailbox)}>${count(box[name])} ${name}</a>`);
    return html`<section class="card"><h2>What screening found</h2>${verdicts(f.volume.map((d) => ({ ...d, at: new Date(d.at), hour: f.each === "hour" })))}
      ${f.mailboxes.length ? html`<ul class="rows">${f.mailboxes.slice(0, named).map((box) => html`<li><bdi>${clean(box.mailbox)}</bdi>${link(box, "dangerous")}${link(box, "flagged")}</li>`)}${f.mailboxes.length > named ? html`<li class="soft">and ${f.mailboxes.length - named} more mailboxes</li>` : nothing}</ul>` : nothing}
      <p class="soft" role="status">${f.more ? `${count(unknown)} messages are still being read.` : unknown ? `${count(unknown)} messages were not screened: they are too large for it, or too many.` : "All received mail of this time was screened."}${f.complete || f.more ? "" : " The newest 20,000 were looked at."}</p></section>`;
  }
}
customElements.define("mk-overview", Overview);

// whose lists mailboxes that need somebody's eye, each with a link to the page that says more.
function whose(title, list, page, params = {}) {
  if (list.length === 0) return nothing;
  return html`<section class="card"><h2>${title}</h2><ul>${list.slice(0, named).map((box) => html`<li>${opens(page, box) ? html`<a href=${to(page, "", params, box)}><bdi>${clean(box)}</bdi></a>` : html`<bdi>${clean(box)}</bdi>`}</li>`)}${list.length > named ? html`<li>and ${list.length - named} more</li>` : nothing}</ul></section>`;
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
