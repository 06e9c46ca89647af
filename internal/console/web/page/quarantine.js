// Mail that the receiving lists keep apart, until a person releases it.

import { html, nothing } from "../vendor/lit.js";
import { ask, own } from "../app/api.js";
import { ago, bytesOf, clean, moment, person, subject } from "../app/format.js";
import { back, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { badge, heading, loading } from "../part/view.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";
import { text } from "./messagetabs.js";

class Quarantine extends TablePage {
  static properties = { id: {}, mail: { state: true } }; // mail is the one that is read
  path = "quarantine";
  member = "emails";
  keyed = "id";
  title_ = "Quarantine";
  about = "Mail that the lists do not let in. Agents do not see it. What nobody releases is deleted.";
  none = ["Nothing is in quarantine", "Mail comes here that the lists do not let in, where the mailbox, or the setting receive_action, says quarantine."];
  one = "message";
  rowHeight = 84;
  narrowHeight = 124;
  request = session.operator ? ask : own; // the operator sees that of all mailboxes

  willUpdate(changed) {
    if (!changed.has("id")) return;
    this.mail = null;
    if (this.id) this.#read(this.id);
  }

  // read shows one, its text alone: nothing of it is loaded or run.
  async #read(id) {
    const mail = await this.request("GET", `quarantine/${id}`).catch((failure) => { say(failure.message, "bad"); });
    if (id !== this.id) return;
    if (mail) this.mail = mail;
    else settle("quarantine");
  }

  deed(name) { if (name === "back" && this.id) back("quarantine"); }

  async #release(m) {
    const done = await question({ title: `Release ${subject(m.subject)}?`, text: `It comes to ${clean(m.mailbox)} as if it arrived now, and its agent reads it.`, action: "Release",
      run: () => this.request("POST", `quarantine/${m.id}/release`) });
    if (!done) return;
    this.#left(m);
    say(`It is in ${done.mailbox}.`);
  }

  async #remove(m) {
    const done = await question({ title: `Delete ${subject(m.subject)}?`, text: "It is gone for good. Its sender is not told.", action: "Delete", danger: true,
      run: () => this.request("DELETE", `quarantine/${m.id}`) });
    if (done) this.#left(m);
  }

  // left takes a message off the list that is not in quarantine any more.
  #left(m) {
    if (this.id) settle("quarantine");
    this.pager.drop(m.id);
  }

  content() {
    const m = this.mail;
    if (!this.id) return super.content();
    if (!m) return loading();
    const screened = m.screening && m.screening.verdict !== "clean";
    return html`${heading(subject(m.subject), html`<bdi>${person(m.from_name, m.from_address)}</bdi> <bdi>${clean(m.from_address)}</bdi> to <bdi>${clean(m.mailbox)}</bdi>, ${moment(m.received_at)}`,
        html`<button @click=${() => back("quarantine")}>Back</button><button class="primary" @click=${() => this.#release(m)}>Release</button><button @click=${() => this.#remove(m)}>Delete</button>`)}
      <p class="note ${m.trust.level === "suspicious" ? "bad" : "plain"}">${badge(m.trust.level)} ${clean(m.trust.reasons.join(" "))}</p>
      ${screened ? html`<p class="note bad">It tries to give orders to a model that reads it: ${m.screening.findings.map((f) => f.rule).join(", ")}.</p>` : nothing}
      ${m.attachment_names.length ? html`<p class="soft">With <bdi>${clean(m.attachment_names.join(", "))}</bdi></p>` : nothing}
      ${text(m.body_text)}`;
  }

  row(m) {
    const list = `${m.list === "receive/block" ? "blocked" : "not allowed"}${m.list_scope === "deployment" ? " by the deployment" : ""}`;
    return html`<article class="plainrow"><div><strong><bdi>${subject(m.subject)}</bdi></strong> ${badge(m.trust.level)} <span class="badge plain">${list}</span>
      <p class="soft"><bdi>${person(m.from_name, m.from_address)}</bdi> <bdi>${m.from_name ? clean(m.from_address) : ""}</bdi> to <bdi>${clean(m.mailbox)}</bdi></p>
      <p class="soft">${moment(m.received_at)} · ${bytesOf(m.size_bytes)} · deleted ${ago(m.expires_at)} · <bdi>${clean(m.snippet)}</bdi></p></div>
      <div class="row"><a class="button small" href=${to("quarantine", m.id)}>Read</a><button class="small" @click=${() => this.#release(m)}>Release</button><button class="small" @click=${() => this.#remove(m)}>Delete</button></div></article>`;
  }
}
customElements.define("mk-quarantine", Quarantine);
