// Addresses that the mailbox does not send to any more.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, moment, plural } from "../app/format.js";
import { to } from "../app/route.js";
import { session } from "../app/session.js";
import { badge } from "../part/view.js";
import { say } from "../part/toast.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";

class Suppressions extends TablePage {
  path = "suppressions";
  member = "suppressions";
  keyed = "address";
  title_ = "Suppressions";
  about = "Mail to these addresses bounced for good, their owners complained, or somebody put them here. Nothing is sent to them.";
  none = ["Nobody is suppressed", "An address comes here when mail to it bounces for good, or its owner complains."];
  one = "address";
  many = "addresses";
  searched = true;
  narrowHeight = 100;

  async #add() {
    const done = await question({ title: "Suppress addresses", text: "Nothing is sent to them from then on.", action: "Add",
      fields: [{ name: "addresses", label: "Addresses", required: true, placeholder: "kim@example.com, ann@example.com", hint: "With commas or blanks between" }],
      run: ({ addresses }) => own("POST", "suppressions", { body: { addresses: addresses.split(/[\s,;]+/).filter(Boolean) } }) });
    if (!done) return;
    say(`${plural(done.added, "address", "addresses")} added${done.present ? `, ${done.present} were there already` : ""}.`);
    this.load();
  }

  actions() { return session.manages ? html`<button class="primary" @click=${this.#add}>Add addresses</button>` : nothing; }

  async #remove(s) {
    const done = await question({ title: `Send to ${s.address} again?`, text: "If mail to it bounces again, it comes back to this list.", action: "Take off the list",
      run: () => own("DELETE", "suppressions", { query: { address: s.address } }) });
    if (done) this.pager.drop(s.address);
  }

  row(s) {
    return html`<article class="plainrow"><div><strong><bdi>${clean(s.address)}</bdi></strong> ${badge(s.reason === "complaint" ? "complained" : s.reason === "manual" || s.reason === "unsubscribe" ? "" : "bounced", s.reason)}
      <p class="soft">${moment(s.created_at)} · <bdi>${clean(s.detail)}</bdi></p></div>
      <div class="row">${s.email_id ? html`<a class="button small" href=${to("outbox", s.email_id)}>Message</a>` : nothing}${session.manages ? html`<button class="small" @click=${() => this.#remove(s)}>Remove</button>` : nothing}</div></article>`;
  }
}
customElements.define("mk-suppressions", Suppressions);
