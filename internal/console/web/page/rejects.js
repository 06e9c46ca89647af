// Mail that was refused, and why.

import { html } from "../vendor/lit.js";
import { clean } from "../app/format.js";
import { moment } from "../part/event.js";
import { ask } from "../app/api.js";
import { session } from "../app/session.js";
import { TablePage } from "../part/table.js";
import { options } from "../part/view.js";

const stages = { "": "Every stage", rcpt: "Recipient refused", data: "Message refused" };

class Rejects extends TablePage {
  static properties = { ...TablePage.properties, stage: { state: true } };
  path = "rejects";
  member = "rejects";
  title_ = "Refused mail";
  about = session.operator ? "Mail for this deployment that was not taken while its sender was still connected." : "Mail for this mailbox that was not taken while its sender was still connected.";
  none = ["Nothing was refused", "When a mail is turned away, it is here with the answer its sender got."];
  one = "refusal";
  searched = true;
  request = ask; // the operator sees those of all mailboxes

  constructor() {
    super();
    this.stage = "";
  }

  asks(find) {
    for (const [stage, text] of Object.entries(stages).filter(([stage]) => stage)) find = find.replaceAll(text.toLowerCase(), stage);
    return find;
  }

  query() { return this.stage ? { stage: this.stage } : {}; }

  get narrowed() { return this.stage !== ""; }

  #choose(stage) {
    this.stage = stage;
    this.load();
  }

  filters() {
    return html`<select aria-label="Stage" @change=${(e) => this.#choose(e.target.value)}>${options(Object.entries(stages), this.stage)}</select>`;
  }

  row(r) {
    return html`<article class="plainrow"><div><strong><bdi>${clean(r.from) || "(empty sender)"}</bdi></strong> <span class="soft">to</span> <bdi>${clean(r.to)}</bdi>
      <p class="soft"><bdi>${clean(r.reply)}</bdi></p></div><div class="side soft">${moment(r.at)}<br>${stages[r.stage] ?? clean(r.stage)} · ${clean(r.remote)}</div></article>`;
  }
}
customElements.define("mk-rejects", Rejects);
