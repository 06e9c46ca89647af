// Mail that the receiving lists keep apart, until a person releases it.

import { html } from "../vendor/lit.js";
import { ask, own } from "../app/api.js";
import { ago, bytesOf, clean, moment, person, subject } from "../app/format.js";
import { session } from "../app/session.js";
import { badge } from "../part/view.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";

class Quarantine extends TablePage {
  path = "quarantine";
  member = "emails";
  keyed = "id";
  title_ = "Quarantine";
  about = "Mail that the lists do not let in. Agents do not see it. What nobody releases is deleted.";
  none = ["Nothing is in quarantine", "Mail comes here that the lists do not let in, where the mailbox, or the setting receive_action, says quarantine."];
  one = "message";
  rowHeight = 84;
  request = session.operator ? ask : own; // the operator sees that of all mailboxes

  async #release(m) {
    const done = await question({ title: `Release ${subject(m.subject)}?`, text: `It comes to ${clean(m.mailbox)} as if it arrived now, and its agent reads it.`, action: "Release",
      run: () => this.request("POST", `quarantine/${m.id}/release`) });
    if (!done) return;
    this.pager.drop(m.id);
    say(`It is in ${done.mailbox}.`);
  }

  async #remove(m) {
    const done = await question({ title: `Delete ${subject(m.subject)}?`, text: "It is gone for good. Its sender is not told.", action: "Delete", danger: true,
      run: () => this.request("DELETE", `quarantine/${m.id}`) });
    if (done) this.pager.drop(m.id);
  }

  row(m) {
    const list = `${m.list === "receive/block" ? "blocked" : "not allowed"}${m.list_scope === "deployment" ? " by the deployment" : ""}`;
    return html`<article class="plainrow"><div><strong><bdi>${subject(m.subject)}</bdi></strong> ${badge(m.trust.level)} <span class="badge plain">${list}</span>
      <p class="soft"><bdi>${person(m.from_name, m.from_address)}</bdi> <bdi>${m.from_name ? clean(m.from_address) : ""}</bdi> to <bdi>${clean(m.mailbox)}</bdi></p>
      <p class="soft">${moment(m.received_at)} · ${bytesOf(m.size_bytes)} · deleted ${ago(m.expires_at)} · <bdi>${clean(m.snippet)}</bdi></p></div>
      <div class="row"><button class="small" @click=${() => this.#release(m)}>Release</button><button class="small" @click=${() => this.#remove(m)}>Delete</button></div></article>`;
  }
}
customElements.define("mk-quarantine", Quarantine);
