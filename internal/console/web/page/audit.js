// What operators did, and what owners changed.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { clean } from "../app/format.js";
import { moment } from "../part/event.js";
import { TablePage } from "../part/table.js";

class Audit extends TablePage {
  narrowHeight = 120; // the sentence goes on for some lines
  static properties = { ...TablePage.properties, reads: { state: true } };
  path = "audit";
  member = "audit";
  title_ = "Audit log";
  about = "What operators did, and what owners changed of their own mailboxes: who, from where, and when.";
  none = ["Nothing yet", "Entries appear when an operator does something to another mailbox than the configured one, or an owner changes a setting."];
  one = "entry";
  many = "entries";
  searched = true;
  hint = "Words of the sentences, or an action";
  request = ask;

  constructor() {
    super();
    this.reads = false;
  }

  query() { return this.reads ? {} : { changes: true }; }

  #choose(reads) {
    this.reads = reads;
    this.load();
  }

  filters() {
    return html`<label class="check"><input type="checkbox" .checked=${this.reads} @change=${(e) => this.#choose(e.target.checked)}>Show reading, too</label>`;
  }

  actions() { return html`<button class="small" @click=${() => this.load()}>Refresh</button>`; }

  row(a) {
    const who = html`<strong><bdi>${clean(a.who)}</bdi></strong>${a.name && a.role ? html` <span class="soft">(${clean(a.role)})</span>` : nothing}`;
    return html`<article class="plainrow whole"><div>${who} ${a.deed || html`used <code>${clean(a.action)}</code> on`} <bdi>${clean(a.mailbox) || "the deployment"}</bdi>${a.note ? html`: <bdi>${clean(a.note)}</bdi>` : nothing}
      <p class="soft">${a.client ? html`from <span class="mono">${clean(a.client)}</span> · ` : nothing}<code>${clean(a.action)}</code></p></div><div class="side soft">${moment(a.at)}</div></article>`;
  }
}
customElements.define("mk-audit", Audit);
