// Claims that wait: agents that ask for a permanent mailbox, or to keep the temporary one that they have.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, clean, moment } from "../app/format.js";
import { session } from "../app/session.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";

const every = 10_000; // no stream tells of them

class Claims extends TablePage {
  path = "claims";
  member = "claims";
  keyed = "id";
  title_ = "Claims";
  about = "Agents that ask for a permanent mailbox. A claim that nobody confirms ends after ten minutes.";
  none = ["No claim waits", "An agent with a temporary mailbox starts one with “mailkin claim”, or with POST /v1/claim/start."];
  one = "claim";
  rowHeight = 84;
  narrowHeight = 124;
  request = ask;

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => { if (!document.hidden && this.ready && !document.querySelector("dialog[open]")) this.load(); }, every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async #confirm(c) {
    const text = c.temporary ? `It keeps ${c.temporary} with all its mail${c.temporary === c.mailbox ? "" : ", under the new address"}. The agent gets a new key.` : "A new mailbox is made, and the agent gets its key.";
    const done = await question({ title: `Give ${c.mailbox} to the agent?`, text, action: "Confirm", run: () => ask("POST", `claims/${c.id}/confirm`) });
    if (!done) return;
    this.pager.drop(c.id);
    say(`${done.mailbox} is permanent.`);
  }

  async #deny(c) {
    const done = await question({ title: `Deny the claim of ${c.mailbox}?`, text: "The agent reads that nobody confirmed it in time. It can start another.", action: "Deny", danger: true,
      run: () => ask("DELETE", `claims/${c.id}`) });
    if (!done) return;
    this.pager.drop(c.id);
    say("The claim is denied.");
  }

  row(c) {
    const may = (session.me.operator?.role ?? "admin") === "admin";
    return html`<article class="plainrow"><div class="wide"><strong><bdi>${clean(c.mailbox)}</bdi></strong> ${c.barred ? html`<span class="badge bad">the address cannot be claimed</span>` : nothing}
      <p class="soft">${c.temporary === c.mailbox ? "keeps its temporary mailbox" : c.temporary ? html`keeps its temporary mailbox <bdi>${clean(c.temporary)}</bdi>` : "a new mailbox"}
        ${c.retired_at ? html` · a mailbox of this address was deleted ${moment(c.retired_at)}` : nothing}</p>
      <p class="soft">from <span class="mono">${clean(c.client)}</span> · <time datetime=${c.created_at} title=${moment(c.created_at)}>${ago(c.created_at)}</time> · ends ${ago(c.expires_at)}</p></div>
      ${may ? html`<div class="row"><button class="small" ?disabled=${c.barred} @click=${() => this.#confirm(c)}>Confirm</button><button class="small" @click=${() => this.#deny(c)}>Deny</button></div>` : nothing}</article>`;
  }
}
customElements.define("mk-claims", Claims);
