// What operators did, and what owners changed.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { clean } from "../app/format.js";
import { moment } from "../part/event.js";
import { TablePage } from "../part/table.js";

class Audit extends TablePage {
  static properties = { reads: { state: true } };
  path = "audit";
  member = "audit";
  title_ = "Audit log";
  about = "What operators did, and what owners changed of their own mailboxes: who, from where, and when.";
  none = ["Nothing yet", "Entries appear when an operator does something to another mailbox than the configured one, or an owner changes a setting."];
  one = "entry";
  many = "entries";
  request = ask;

  constructor() {
    super();
    this.reads = false;
  }

  shown(items) { return this.reads ? items : items.filter((a) => !a.action.startsWith("GET ")); }

  actions() {
    return html`<label class="check"><input type="checkbox" .checked=${this.reads} @change=${(e) => { this.reads = e.target.checked; }}>Show reading, too</label>
      <button class="small" @click=${() => this.load()}>Refresh</button>`;
  }

  row(a) {
    return html`<article class="plainrow"><div><strong><bdi>${clean(a.mailbox) || "The deployment"}</bdi></strong>
      <p class="soft">${who(a)}<code>${clean(a.action)}</code>${a.note ? html` · <bdi>${clean(a.note)}</bdi>` : nothing}</p></div><div class="side soft">${moment(a.at)}</div></article>`;
  }
}
customElements.define("mk-audit", Audit);

// who names the person or key, with the role, and where it came from.
function who(a) {
  const name = a.name || (a.credential === "AUTH_TOKEN" ? "the operator's token" : a.actor === "operator" ? "an operator" : "a key");
  return html`<bdi>${clean(name)}</bdi>${a.role && a.name ? `, ${a.role}` : nothing}${a.client ? `, from ${a.client}` : nothing} · `;
}
