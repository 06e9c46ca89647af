// The processes that work on the store, and what this one keeps where.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, bytesOf, clean, count, moment } from "../app/format.js";
import { scrape, within } from "../app/metrics.js";
import { Page, badge, heading } from "../part/view.js";

const every = 10_000; // milliseconds between two looks
const when = (seconds) => { const at = new Date(seconds * 1000).toISOString(); return html`${moment(at)} <span class="soft">(${ago(at)})</span>`; };

class Nodes extends Page {
  static properties = { now: { state: true }, nodes: { state: true }, problems: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.watch = setInterval(() => { if (!document.hidden && this.ready) this.fetch().catch(() => {}); }, every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.watch);
  }

  async fetch() {
    const [{ nodes }, { problems }, now] = await Promise.all([ask("GET", "nodes"), ask("GET", "problems"), scrape()]);
    [this.nodes, this.problems, this.now] = [nodes, problems, now];
  }

  content() {
    return html`${heading("Nodes and storage", "Who works on the store, and what the node that answers keeps where.")}
      ${this.problems.length ? html`<section class="card"><h2>Needs an eye</h2><ul class="rows">${this.problems.map((p) => html`<li>${badge(p.status === "fail" ? "failed" : "held", p.status)} <strong>${clean(p.check)}</strong>: ${clean(p.found)} <span class="soft">${clean(p.next)}</span></li>`)}</ul></section>` : nothing}
      <section class="card"><h2>Nodes</h2><ul class="rows" aria-label="Nodes">${this.nodes.map((n) => this.#node(n))}</ul>
        ${this.nodes.length === 1 ? html`<p class="soft">Several nodes can share a PostgreSQL database; this is the only one.</p>` : nothing}</section>
      <div class="charts">${this.#disk()}${this.#index()}${this.#backups()}${this.#work()}</div>`;
  }

  #node(n) {
    return html`<li class="row"><strong><bdi>${clean(n.name) || "this node"}</bdi></strong> ${badge(n.status === "running" ? "delivered" : "failed", n.status)}${n.here ? html` <span class="badge plain">answers here</span>` : nothing}
      <span class="soft">version ${clean(n.version)} · started ${ago(n.started_at)}${n.here ? "" : ` · heard of ${ago(n.seen_at)}`}</span></li>`;
  }

  #disk() {
    const m = this.now;
    const [free, size, least] = ["free", "size", "reserved"].map((name) => m.sum(`mailkin_disk_${name}_bytes`));
    const part = (name) => m.all("mailkin_store_bytes").filter((l) => l.labels.part === name).reduce((n, l) => n + l.value, 0);
    return section("Disk", [
      ["Free", free === undefined ? "not known" : html`${bytesOf(free)} of ${bytesOf(size)}`],
      ["Mail is put off below", least === undefined ? "not known" : bytesOf(least)],
      ["Database", bytesOf(part("database"))],
      ["Index", bytesOf(part("index"))],
      ["Unfinished sends", bytesOf(m.sum("mailkin_upload_bytes") ?? 0)],
    ], free === undefined ? nothing : html`<meter min="0" max=${size} low=${2 * least} value=${free} aria-label="Free disk"></meter>`);
  }

  #index() {
    const m = this.now;
    const lag = m.sum("mailkin_index_lag_seconds") ?? 0;
    return section("Index of words", [
      ["Size", bytesOf(m.all("mailkin_store_bytes").filter((l) => l.labels.part === "index").reduce((n, l) => n + l.value, 0))],
      ["Oldest message that waits", lag < 1 ? "none" : `${Math.round(lag)} s`],
      ["Parts that were damaged and rebuilt", count(m.sum("mailkin_index_damaged_total") ?? 0)],
    ], html`<p class="soft">It can be rebuilt with <code>mailkin reindex</code>.</p>`);
  }

  #backups() {
    const last = this.now.sum("mailkin_backup_last_timestamp_seconds");
    return section("Backups", [["Last one", last ? when(last) : "never"]],
      html`<p class="soft">${last ? "" : "Nothing was backed up from this data folder. "}Make one with <code>mailkin backup run</code>, which keeps generations, or <code>mailkin backup</code> for a single copy; <code>mailkin backup list</code> names the generations of a repository.</p>`);
  }

  #work() {
    const m = this.now;
    const names = { sweep_blobs: "Leftover blobs removed", retain: "Old mail deleted", expire: "Expired mailboxes removed", trim: "Old entries forgotten", check_domains: "Domains checked", send_reports: "Reports sent", recover: "Unfinished work finished" };
    const chores = m.all("mailkin_chore_last_timestamp_seconds").filter((l) => names[l.labels.chore]).map((l) => [names[l.labels.chore], when(l.value)]);
    const took = [["half", 0.5], ["90 %", 0.9], ["99 %", 0.99]].map(([name, share]) => [`A message is taken, ${name} within`, within(m, "mailkin_mail_ingest_seconds", share)]);
    const failed = m.all("mailkin_auth_failures_total").map((l) => [`Log-ins failed, ${clean(l.labels.edge)}`, count(l.value)]);
    return section("Running", [...took, ...failed, ["SMTP sessions now", count(m.sum("mailkin_mail_sessions") ?? 0)],
      ...m.all("mailkin_certificate_expiry_timestamp_seconds").map((l) => [html`Certificate of <bdi>${clean(l.labels.name)}</bdi> ends`, when(l.value)]), ...chores]);
  }
}
customElements.define("mk-nodes", Nodes);

function section(title, rows, more = nothing) {
  return html`<section class="card"><h2>${title}</h2><dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>${more}</section>`;
}
