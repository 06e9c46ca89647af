// Mail that was refused, and why.

import { html } from "../vendor/lit.js";
import { clean } from "../app/format.js";
import { moment } from "../part/event.js";
import { ask } from "../app/api.js";
import { session } from "../app/session.js";
import { TablePage } from "../part/table.js";

class Rejects extends TablePage {
  static properties = { ...TablePage.properties, stage: { state: true } };
  path = "rejects";
  member = "rejects";
  title_ = "Refused mail";
  about = session.operator ? "Mail for this deployment that was not taken while its sender was still connected." : "Mail for this mailbox that was not taken while its sender was still connected.";
  none = ["Nothing was refused", "When a mail is turned away, it is here with the answer its sender got."];
  one = "refusal";
  request = ask; // the operator sees those of all mailboxes

  constructor() {
    super();
    this.stage = "";
  }

  shown(items) { return this.stage ? items.filter((r) => r.stage === this.stage) : items; }

  filters() {
    const stages = [...new Set(this.pager.items.map((r) => r.stage))].sort();
    return html`<select aria-label="Stage" @change=${(e) => { this.stage = e.target.value; }}><option value="">Every stage</option>${stages.map((s) => html`<option value=${s} ?selected=${s === this.stage}>${clean(s)}</option>`)}</select>`;
  }

  row(r) {
    return html`<article class="plainrow"><div><strong><bdi>${clean(r.from) || "(empty sender)"}</bdi></strong> <span class="soft">to</span> <bdi>${clean(r.to)}</bdi>
      <p class="soft"><bdi>${clean(r.reply)}</bdi></p></div><div class="side soft">${moment(r.at)}<br>${clean(r.stage)} · ${clean(r.remote)}</div></article>`;
  }
}
customElements.define("mk-rejects", Rejects);
