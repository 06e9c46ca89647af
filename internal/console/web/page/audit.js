// What the operator did to mailboxes other than the configured one.

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
  about = "What was done with the operator's token to mailboxes other than the configured one.";
  none = ["Nothing yet", "Entries appear when the operator's token is used on another mailbox than the configured one."];
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
    return html`<article class="plainrow"><div><strong><bdi>${clean(a.mailbox)}</bdi></strong>
      <p class="soft"><code>${clean(a.action)}</code>${a.note ? html` · <bdi>${clean(a.note)}</bdi>` : nothing}</p></div><div class="side soft">${moment(a.at)}</div></article>`;
  }
}
customElements.define("mk-audit", Audit);
