// Messages that were begun and are kept on the server.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, moment, plural, subject } from "../app/format.js";
import { go, to } from "../app/route.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";
import { sentWord } from "./draft.js";

class Drafts extends TablePage {
  path = "drafts";
  member = "drafts";
  keyed = "id";
  title_ = "Drafts";
  about = "Messages that were begun, here or by an agent. Nothing is sent until somebody sends it.";
  none = ["There are no drafts", "Compose keeps a message here with Save draft."];
  one = "draft";
  many = "drafts";
  rowHeight = 84;
  narrowHeight = 124;

  async #send(d) {
    const list = [...d.to, ...d.cc, ...d.bcc].map(clean).join(", ");
    const whom = list ? `To ${list}.` : d.reply ? "To whoever wrote the message that it answers." : "It has no recipients yet.";
    const sent = await question({ title: `Send ${subject(d.subject)}?`, text: whom, action: "Send",
      run: () => own("POST", `drafts/${d.id}/send`, { body: { version: d.version } }) });
    if (!sent) return;
    this.pager.drop(d.id);
    say(sentWord(sent));
    go("outbox", sent.id);
  }

  async #remove(d) {
    const done = await question({ title: `Throw ${subject(d.subject)} away?`, text: "It is gone for good.", action: "Throw away", danger: true,
      run: () => own("DELETE", `drafts/${d.id}`, { query: { version: d.version } }).catch((e) => { if (e.status !== 404 && e.code !== "draft_sent") throw e; return {}; }) }); // somebody else was first
    if (done) this.pager.drop(d.id);
  }

  row(d) {
    const kind = d.reply ? "Reply · " : d.forward ? "Forward · " : "";
    const files = d.attachments.length ? ` · ${plural(d.attachments.length, "file")}` : "";
    return html`<article class="plainrow"><div><strong><bdi>${subject(d.subject)}</bdi></strong>
      <p class="soft">${kind}${d.to.length ? html`to <bdi>${clean(d.to.join(", "))}</bdi> · ` : nothing}${moment(d.updated_at)}${files}</p>
      <p class="soft"><bdi>${clean(d.snippet)}</bdi></p></div>
      <div class="row"><a class="button small" href=${to("compose", "", { draft: d.id })}>Edit</a><button class="small" @click=${() => this.#send(d)}>Send</button>
        <button class="small" @click=${() => this.#remove(d)}>Delete</button></div></article>`;
  }
}
customElements.define("mk-drafts", Drafts);
