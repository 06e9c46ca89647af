// Domains that the mailbox's owner brought: the records to publish, and what the DNS has of them.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, cleanText, moment } from "../app/format.js";
import { session } from "../app/session.js";
import { Page, badge, empty, heading } from "../part/view.js";
import { copyButton } from "../part/copy.js";
import { question } from "../part/dialog.js";
import { keep } from "./messagetabs.js";

class Domains extends Page {
  static properties = { list: { state: true }, records: { state: true }, checks: { state: true }, sheets: { state: true } };

  constructor() {
    super();
    this.records = {};
    this.checks = {};
    this.sheets = {};
  }

  async fetch() {
    const { domains } = await own("GET", "domains");
    const whole = await Promise.all(domains.slice(0, 20).map((d) => own("GET", `domains/${d.id}`)));
    this.records = Object.fromEntries(whole.map((d) => [d.id, d]));
    this.list = domains;
  }

  async #add() {
    const made = await question({ title: "Bring a domain", text: "You get records to publish where its DNS is kept. Once they are there, mailboxes can be made on it and their mail is signed with it.", action: "Add",
      fields: [{ name: "domain", label: "Domain", required: true, placeholder: "example.com" }], run: ({ domain }) => own("POST", "domains", { body: { domain: domain.trim() } }) });
    if (made) this.load();
  }

  async #verify(d) {
    const check = await this.act(() => own("POST", `domains/${d.id}/verify`, { body: {} }));
    if (!check) return;
    this.checks = { ...this.checks, [d.id]: check };
    this.list = this.list.map((x) => (x.id === d.id ? { ...x, ...check } : x));
  }

  async #sheet(d) {
    const sheet = await this.act(() => own("GET", `domains/${d.id}/dns`));
    const reports = sheet && (await this.act(() => own("GET", `domains/${d.id}/reports`)));
    if (reports) sheet.reports = reports;
    if (sheet) this.sheets = { ...this.sheets, [d.id]: sheet };
  }

  async #remove(d) {
    const done = await question({ title: `Remove ${d.domain}?`, text: "Mail for it is refused from then on, and nothing can be sent from it.", action: "Remove", danger: true,
      fields: [{ name: "sure", label: "Type the domain to be sure", expect: d.domain }], run: () => own("DELETE", `domains/${d.id}`) });
    if (done) this.load();
  }

  content() {
    return html`${heading("Domains", "Mail from and to names of your own.", session.manages ? html`<button class="primary" @click=${this.#add}>Add a domain</button>` : nothing)}
      ${this.list.length === 0 ? empty("No domains", "Until you bring one, addresses end in the deployment's own.") : this.list.map((d) => this.#domain(d))}`;
  }

  #domain(d) {
    const check = this.checks[d.id];
    const sheet = this.sheets[d.id];
    const shown = sheet?.records ?? check?.records ?? Object.values(this.records[d.id]?.dns_records ?? {}).filter(Boolean);
    return html`<section class="card"><div class="row"><h2>${clean(d.domain)}</h2>${badge(d.status)}<span class="gap"></span>
        <button ?disabled=${this.busy} @click=${() => this.#sheet(d)}>DNS sheet and reports</button>
        ${session.manages ? html`<button ?disabled=${this.busy} @click=${() => this.#verify(d)}>Check again</button>` : nothing}
        ${!this.records[d.id]?.ownership ? html`<span class="badge plain">of the deployment</span>` : session.manages ? html`<button class="danger" @click=${() => this.#remove(d)}>Remove</button>` : nothing}</div>
      <p class="row">${[["mx", "MX"], ["spf", "SPF"], ["dkim", "DKIM"], ["dmarc", "DMARC"]].map(([k, t]) => badge(d[`${k}_verified`] ? "verified" : "pending", `${t} ${d[`${k}_verified`] ? "found" : "missing"}`))}
        <span class="soft">${d.lapsed_at ? `lapsed ${moment(d.lapsed_at)}` : d.verified_at ? `verified ${moment(d.verified_at)}` : `added ${moment(d.created_at)}`}</span></p>
      ${d.lapsed_at && !check ? html`<p class="note warn">The record that shows who owns the domain is gone from the DNS. Mail for it is put off for a week and refused after that, and nothing can be sent from it. Publish the record again.</p>` : nothing}
      ${this.records[d.id]?.problem ? html`<p class="note warn">${clean(this.records[d.id].problem)}</p>` : nothing}
      ${check ? html`<p class="note ${check.status === "dns_verified" ? "good" : "warn"}" role="status">${clean(check.message)}</p>` : nothing}
      <ul class="rows records" aria-label="Records of ${clean(d.domain)}">${shown.map((r) => record(r))}</ul>
      ${sheet?.reports ? reportTable(sheet.reports) : nothing}
      ${sheet ? html`<details><summary>Zone file</summary><p class="row">${copyButton(sheet.zone_file, "Zone file", "Copy")}<button class="small" @click=${() => keep(new Blob([sheet.zone_file]), `${clean(d.domain)}.zone`)}>Download</button></p><pre class="text zone">${cleanText(sheet.zone_file)}</pre></details>` : nothing}
      ${this.records[d.id]?.instructions ? html`<details><summary>The same in words</summary><pre class="text">${this.records[d.id].instructions}</pre></details>` : nothing}</section>`;
  }
}
customElements.define("mk-domains", Domains);

const names = { mx: "MX", spf: "SPF", dkim: "DKIM", dkim_ed25519: "DKIM (Ed25519)", dmarc: "DMARC", ownership: "Ownership", host: "Mail host", ptr: "Reverse name",
  mta_sts: "MTA-STS", sts_host: "MTA-STS host", sts_policy: "MTA-STS policy", tlsrpt: "TLS reports" };

// nameOf is what people call a record: by what the server says it is, or by what it looks like.
function nameOf(r) {
  if (r.kind) return names[r.kind] ?? r.kind.toUpperCase().replaceAll("_", " ");
  if (r.type === "MX") return names.mx;
  if (/^v=spf1/i.test(r.value)) return names.spf;
  if (/^v=DMARC1/i.test(r.value)) return names.dmarc;
  if (/\._domainkey\./.test(r.host)) return /k=ed25519/.test(r.value) ? names.dkim_ed25519 : names.dkim;
  return names.ownership;
}

// record is one that has to be published, with what the DNS has in its place beside it.
function record(r) {
  return html`<li><div class="row"><strong>${nameOf(r)}</strong><span class="badge plain">${r.type}</span><span class="soft">${clean(r.purpose)}</span>
      ${r.state ? badge(r.state === "ok" ? "verified" : r.needed ? "failed" : "held", r.state) : r.found ? badge(r.verified ? "verified" : "held", r.verified ? "found" : r.found.length ? "something else is there" : "nothing found") : nothing}
      ${r.problem ? html`<span class="soft">${clean(r.problem)}</span>` : nothing}</div>
    <dl><dt>Host</dt><dd><code>${clean(r.host)}</code>${copyButton(r.host, "Host")}</dd>
      ${r.priority === undefined ? nothing : html`<dt>Priority</dt><dd><code>${r.priority}</code></dd>`}
      <dt>Wanted</dt><dd><code>${clean(r.value)}</code>${copyButton(r.value, "Value")}</dd>
      ${r.found ? html`<dt>Found</dt><dd>${r.found.length ? r.found.map((f) => html`<code class=${f === r.value ? "" : "differs"}>${clean(f)}</code> `) : html`<span class="soft">nothing</span>`}</dd>` : nothing}</dl></li>`;
}

// reportTable has the sums of what other mail systems reported about a domain.
function reportTable(r) {
  if (r.reports.length === 0) return html`<p class="soft">No reports of other mail systems have come.</p>`;
  return html`<h3>Reports of others: ${r.totals.passed} passed, ${r.totals.failed} failed</h3>
    <div class="scroll"><table aria-label="Reports"><thead><tr><th>Source</th><th>Result</th><th>Count</th></tr></thead>
      <tbody>${r.totals.sources.slice(0, 20).map((x) => html`<tr><td><code>${clean(x.source || "–")}</code></td><td>${badge(x.result)}</td><td>${x.count}</td></tr>`)}</tbody></table></div>
    <div class="scroll"><table aria-label="Reporters"><thead><tr><th>Kind</th><th>Reporter</th><th>Until</th><th>Passed</th><th>Failed</th></tr></thead>
      <tbody>${r.reports.map((x) => html`<tr><td>${x.kind}</td><td>${clean(x.reporter)} ${x.authenticated ? nothing : badge("held", "not authenticated")}</td><td>${moment(x.end)}</td><td>${x.passed}</td><td>${x.failed}</td></tr>`)}</tbody></table></div>`;
}
