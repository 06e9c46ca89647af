// Whom the mailbox may write to and hears from, and whom not.

import { html, nothing } from "../vendor/lit.js";
import { ask, own } from "../app/api.js";
import { clean, moment } from "../app/format.js";
import { session } from "../app/session.js";
import { TablePage } from "../part/table.js";
import { heading, options } from "../part/view.js";
import { question } from "../part/dialog.js";

const lists = [
  ["send/allow", "May write to", "With entries here, the mailbox writes to nobody else."],
  ["send/block", "Never writes to", "The mailbox writes to none of these, whatever else allows it."],
  ["reply/allow", "May answer", "If they wrote first, these are answered though “May write to” does not name them."],
  ["reply/block", "Never answers", "These get no answer, also where they wrote first."],
  ["receive/allow", "Hears from", "With entries here, mail comes in from nobody else, and from these only where SPF or DKIM vouches for them."],
  ["receive/block", "Never hears from", "No mail comes in that names one of these as its author."],
];

class Lists extends TablePage {
  static properties = { which: { state: true }, whole: { state: true } };
  member = "entries";
  keyed = "value";
  title_ = "Lists";
  headed = false; // it stays while another list is loaded
  one = "entry";
  many = "entries";
  narrowHeight = 100;
  none = ["Nobody is on this list", "An entry is an address, a domain, or *. and a domain for those below it. Block wins over allow."];
  request = (method, path, options = {}) => (this.whole ? ask(method, path, { ...options, query: { ...options.query, scope: "deployment" } }) : own(method, path, options));

  constructor() {
    super();
    this.which = lists[0][0];
    this.whole = false; // of the deployment
  }

  get path() { return `lists/${this.which}`; }
  get about() { return lists.find(([name]) => name === this.which)[2]; }

  #turn(change) {
    Object.assign(this, change);
    this.ready = false;
    this.load();
  }

  async #add() {
    const done = await question({ title: "Put on the list", text: this.about, action: "Add", fields: [
      { name: "value", label: "Address, domain or *.domain", required: true, placeholder: "example.com" },
      { name: "note", label: "Note", placeholder: "why" },
      { name: "until", label: "Until", type: "datetime-local", of: "expires_at", hint: "Empty for always" }],
    run: ({ value, note, until }) => this.request("PUT", this.path, { body: { value: value.trim(), note, expires_at: until ? new Date(until).toISOString() : null } }) });
    if (done) this.load();
  }

  async #remove(e) {
    const done = await question({ title: `Take ${clean(e.value)} off the list?`, action: "Take off the list", run: () => this.request("DELETE", this.path, { query: { value: e.value } }) });
    if (done) this.pager.drop(e.value);
  }

  actions() { return session.can("control") ? html`<button class="primary" @click=${this.#add}>Add</button>` : nothing; }

  render() {
    return html`${heading(this.title_, this.about, this.actions())}<div class="bar filters"><select aria-label="List" @change=${(e) => this.#turn({ which: e.target.value })}>
        ${options(lists, this.which)}</select>
      ${session.operator ? html`<select aria-label="Whose list" @change=${(e) => this.#turn({ whole: e.target.value === "all" })}>
        ${options([["own", "of this mailbox"], ["all", "of all mailboxes"]], this.whole ? "all" : "own")}</select>` : nothing}</div>
      ${super.render()}`;
  }

  row(e) {
    const over = e.expires_at && new Date(e.expires_at) < new Date();
    return html`<article class="plainrow"><div><strong><bdi>${clean(e.value)}</bdi></strong> ${over ? html`<span class="badge plain">over</span>` : nothing}
      <p class="soft">${moment(e.created_at)}${e.expires_at ? ` · until ${moment(e.expires_at)}` : ""}${e.note ? html` · <bdi>${clean(e.note)}</bdi>` : nothing}</p></div>
      ${session.can("control") ? html`<div class="row"><button class="small" aria-label="Remove ${clean(e.value)}" @click=${() => this.#remove(e)}>Remove</button></div>` : nothing}</article>`;
  }
}
customElements.define("mk-lists", Lists);
