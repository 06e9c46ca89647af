// All mailboxes of the deployment, for the operator.

import { html, nothing } from "../vendor/lit.js";
import { ask, moderate } from "../app/api.js";
import { ago, clean, count, longest, moment, plural, sought } from "../app/format.js";
import { route, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge, empty, heading, options } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { question, showOnce } from "../part/dialog.js";
import { icon } from "../part/icon.js";
import "../part/list.js";

class Mailboxes extends Page {
  static properties = { text: { state: true }, status: { state: true } };

  constructor() {
    super();
    this.text = "";
    this.status = route.params.get("status") ?? "";
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.soon);
  }

  async fetch(wanted) {
    const changed = () => this.requestUpdate();
    const pager = new Pager({ path: "mailboxes", query: { query: this.text, status: this.status }, member: "mailboxes", request: ask, key: "mailbox", changed });
    await pager.next();
    if (wanted()) this.pager = pager;
    changed();
  }

  move(by) { this.querySelector("mk-list")?.move(by); }

  #find(e) {
    this.text = sought(e.target.value);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.load(), 200);
  }

  async #create() {
    const made = await question({ title: "New mailbox", action: "Create",
      fields: [{ name: "name", label: "Name or whole address", required: true, placeholder: "wren", hint: "Letters, digits, dots, - and _. A whole address needs a verified domain." }],
      run: ({ name }) => ask("POST", "mailboxes", { body: name.includes("@") ? { address: name } : { name } }) });
    if (!made) return;
    await showOnce(`${made.mailbox} is ready`, "This is its key. It is shown this once: store it where the agent finds it.", made.api_key);
    this.load();
  }

  async #pause(m) {
    const done = await question({ title: `Pause ${m.mailbox}?`, text: "Its keys stop working, its open streams end, and mail for it is put off until you resume it.", action: "Pause",
      fields: [{ name: "reason", label: "Reason", placeholder: "what the owner is told" }], run: ({ reason }) => moderate("PATCH", m.mailbox, "/pause", { body: { reason } }) });
    if (done) this.#changed(m);
  }

  async #resume(m) {
    if (await this.act(() => moderate("PATCH", m.mailbox, "/resume"), `${m.mailbox} is active again.`)) this.#changed(m);
  }

  async #resumeSending(m) {
    const sure = await question({ title: `Let ${m.mailbox} send again?`, text: `${m.sending_paused.reason} Look at its outbox first. What waits leaves at once.`, action: "Resume sending",
      run: () => ask("POST", "mailbox/resume-sending", { query: { mailbox: m.mailbox } }) });
    if (sure) this.#changed(m);
  }

  async #changed(m) {
    const now = await moderate("GET", m.mailbox).catch(() => null);
    if (now) this.pager.replace({ ...now, reason: now.reason ?? "", paused_by: now.paused_by ?? "", sending_paused: now.sending_paused });
  }

  async #remove(m) {
    const done = await question({ title: `Delete ${m.mailbox}?`, text: "The mailbox, its keys and all its mail are gone at once and for good.", action: "Delete for good", danger: true,
      fields: [{ name: "sure", label: "Type the address to be sure", expect: m.mailbox }],
      run: () => {
        if (session.mailbox === m.mailbox) session.look(session.me.mailbox); // before it is gone
        return moderate("DELETE", m.mailbox);
      } });
    if (done) this.load();
  }

  render() {
    return html`${heading("Mailboxes", "Every mailbox of this deployment.", session.may ? html`<button class="primary" @click=${this.#create}>New mailbox</button>` : nothing)}
      <div class="bar filters"><input type="search" aria-label="Find a mailbox" placeholder="Part of the address" maxlength=${longest} @input=${this.#find}>
        <select aria-label="Status" @change=${(e) => { this.status = e.target.value; settle("mailboxes", "", { status: this.status }); this.load(); }}>${options([["", "All"], ["active"], ["paused"]], this.status)}</select><span class="gap"></span><button class="small" @click=${() => this.load()}>Refresh</button></div>
      ${super.render()}`;
  }

  content() {
    const { items } = this.pager;
    if (items.length === 0) return empty(this.text || this.status ? "Nothing fits" : "No mailboxes", "A mailbox belongs to one agent: it gets an address and a key.");
    return html`<div class="boxhead" aria-hidden="true"><span>Address</span><span>Mail</span><span>Not seen</span><span>Last mail</span><span></span></div>
      <mk-list class="fill" label="Mailboxes" height="64" narrow="124" .key=${(m) => m.mailbox} .items=${items} .more=${this.pager.more} .row=${(m) => this.#row(m)}
        .foot=${html`<p class="listend">${plural(items.length, "mailbox", "mailboxes")}</p>`}></mk-list>`;
  }

  #row(m) {
    const { total_emails, unseen, last_email_at: last } = m.holds;
    const chosen = m.mailbox === session.mailbox;
    return html`<article class="boxrow ${chosen ? "open" : ""}">
      <div class="address"><a href=${to(session.reads(m.mailbox) ? "inbox" : "mailbox", "", {}, m.mailbox)} aria-current=${chosen ? "true" : nothing}><bdi>${clean(m.mailbox)}</bdi></a>
        <p class="soft">${m.status === "paused" ? html`${badge("paused")} ${m.paused_by ? `by the ${m.paused_by}` : ""}${m.reason ? `: ${clean(m.reason)}` : ""}`
          : html`${m.scope === "provisional" ? html`<span class="badge plain">temporary</span> ends ${ago(m.expires_at)} · ` : nothing}made ${ago(m.created_at)}`}
          ${m.sending_paused ? html`<span class="badge bad" title=${clean(m.sending_paused.reason)}>sending stopped</span>` : nothing}
          ${m.webhook.status === "failed" ? html`<span class="badge bad">webhook failed</span>` : nothing}</p>
        <p class="soft narrow">${total_emails ? `${count(total_emails)} mail · ${count(unseen)} new · ${ago(last)}` : "no mail yet"}</p></div>
      <span class="number">${count(total_emails)}</span><span class="number">${count(unseen)}</span>
      <span class="last soft" title=${last ? moment(last) : ""}>${last ? ago(last) : "none yet"}</span>
      <div class="row acts">${!session.moderates ? nothing : m.status === "paused" ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.#resume(m)}>Resume</button>` : html`<button class="small" @click=${() => this.#pause(m)}>Pause</button>`}
        ${m.sending_paused && session.moderates ? html`<button class="small" ?disabled=${this.busy} title=${clean(m.sending_paused.reason)} @click=${() => this.#resumeSending(m)}>Resume sending</button>` : nothing}
        <a class="button small" href=${to("keys", "", {}, m.mailbox)}>Keys</a>
        ${session.may ? html`<button class="small danger" aria-label="Delete ${clean(m.mailbox)}" title="Delete" @click=${() => this.#remove(m)}>${icon("trash")}</button>` : nothing}</div></article>`;
  }
}
customElements.define("mk-mailboxes", Mailboxes);
