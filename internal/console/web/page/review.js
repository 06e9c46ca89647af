// One message that waits for a decision: as its recipients would see it, why it waits, and what is known of the message
// that it answers.

import { html, nothing } from "../vendor/lit.js";
import { ask, own } from "../app/api.js";
import { ago, clean, moment, person, subject } from "../app/format.js";
import { held } from "../app/held.js";
import { session } from "../app/session.js";
import { Page, badge, heading } from "../part/view.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";
import { addresses } from "./draft.js";
import * as tabs from "./messagetabs.js";
import { folded } from "./thread.js";
import "../part/mailframe.js";

const lists = ["to", "cc", "bcc"];

class Review extends Page {
  static properties = { id: {}, came: { state: true }, beside: { state: true }, page: { state: true }, tangled: { state: true }, plain: { state: true }, edit: { state: true }, problem: { state: true } };

  async fetch() {
    this.page = await held.request("GET", `reviews/${this.id}`);
    this.tangled = this.plain = this.beside = false;
    this.came = null;
    this.#answered(this.page.answers);
  }

  // answered fetches the message that this one answers, where the key may read it; else its beginning is shown.
  async #answered(a) {
    if (!a || !session.holds("read")) return;
    const query = { id: a.id, mailbox: session.operator ? this.page.mailbox : undefined };
    const came = await (session.operator ? ask : own)("GET", "email", { query }).catch(() => null);
    if (a === this.page.answers) this.came = came;
  }

  #back() { this.dispatchEvent(new Event("back")); }

  // decide hands the decision over, with the version that was shown. What was changed meanwhile is shown as it is now.
  async #decide(what, body) {
    const now = await this.act(() => held.request("GET", `reviews/${this.id}`));
    if (!now) return;
    if (now.version !== this.page.version || now.status !== "held") {
      this.page = now;
      return say(now.status === "held" ? "It was edited or moved meanwhile: this is how it is now." : `Somebody else decided: it is ${now.status}.`, "bad");
    }
    this.dispatchEvent(new CustomEvent("decided", { detail: { list: [{ id: this.id, version: this.page.version, email: this.page.email }], what, body } }));
  }

  #approve() { this.#decide("approve", {}); }

  async #reject() {
    const answer = await question({ title: `Reject ${subject(this.page.email.subject)}?`, text: "It is not sent. The agent reads the reason.", action: "Reject", danger: true,
      fields: [{ name: "reason", label: "Reason" }] });
    if (answer) this.#decide("reject", { reason: answer.reason });
  }

  content() {
    const p = this.page, m = p.email;
    if (this.edit) return this.#form(m);
    const waits = p.status === "held";
    return html`${heading(subject(m.subject), html`<bdi>${clean(p.mailbox)}</bdi> wants to send this to <bdi>${recipients(m)}</bdi>`,
        html`<button @click=${this.#back}>Back</button>${waits ? html`<button class="primary" ?disabled=${this.busy} @click=${this.#approve}>Approve</button>
          <button @click=${() => this.#open()}>Edit</button><button class="danger" @click=${this.#reject}>Reject</button>` : nothing}`)}
      <p class="note ${waits ? "warn" : "plain"}">${badge(p.status)} ${clean(p.reasons.join(" "))}
        ${waits ? `It expires ${ago(p.expires_at)}.` : html`Decided ${moment(p.decided_at)}${p.decided_by ? ` by ${clean(p.decided_by)}` : nothing}. ${clean(p.reason)}`}</p>
      <div class=${p.answers ? "beside" : ""}><section aria-label="The message that waits">
      <dl class="facts card"><dt>From</dt><dd><bdi>${person(m.from_name, m.from_address)}</bdi> ${m.from_name ? html`<bdi class="soft">${clean(m.from_address)}</bdi>` : nothing}</dd>
        ${lists.map((name) => (m[name].length ? html`<dt>${name[0].toUpperCase()}${name.slice(1)}</dt><dd><bdi>${people(m[name])}</bdi></dd>` : nothing))}
        ${m.reply_to.length ? html`<dt>Reply to</dt><dd><bdi>${people(m.reply_to)}</bdi></dd>` : nothing}
        <dt>Sent</dt><dd>${p.send_at ? moment(p.send_at) : "when it is approved"}</dd></dl>
      ${this.#hidden(p.bodies)}${this.#body(m)}
      ${m.attachments.length ? html`<section class="card"><h2>Attachments</h2>${tabs.files(m)}</section>` : nothing}</section>${this.#answers(p.answers)}</div>`;
  }

  // hidden says what the message holds that its recipients do not see, or see differently.
  #hidden(b) {
    return html`${b.hidden_text ? html`<p class="note bad">Its HTML holds text that mail programs do not show: <bdi>${clean(b.hidden_text.slice(0, 500))}</bdi></p>` : nothing}
      ${b.differ ? html`<p class="note warn">Its text and its HTML do not say the same. Look at both.</p>` : nothing}`;
  }

  // answers says how far the message can be believed that this one answers or sends on.
  #answers(a) {
    if (!a) return nothing;
    const verdict = a.screening?.verdict;
    const orders = verdict && verdict !== "clean";
    const c = this.came;
    return html`<section aria-label="The message that it answers" tabindex="0"><p class="note ${orders || a.trust.level === "suspicious" ? "bad" : "plain"}">It answers <strong><bdi>${subject(a.subject)}</bdi></strong> of <bdi>${clean(a.from_address)}</bdi>
      ${badge(a.trust.level)} ${clean(a.trust.reasons.join(" "))}
      ${orders ? html`${badge(verdict, `screening: ${verdict}`)} That message tries to give orders to a model that reads it: ${a.screening.findings.map((f) => clean(f.rule)).join(", ")}.`
        : verdict ? "Nothing in it tries to give orders to a model." : nothing}</p>
      <dl class="facts card"><dt>From</dt><dd><bdi>${person(a.from_name, a.from_address)}</bdi> ${a.from_name ? html`<bdi class="soft">${clean(a.from_address)}</bdi>` : nothing}</dd>
        <dt>Came</dt><dd>${moment(a.received_at)}</dd></dl>
      ${c?.body_html ? html`<p class="row"><button class="small" aria-pressed=${Boolean(this.beside)} @click=${() => { this.beside = !this.beside; }}>Its design</button></p>` : nothing}
      ${c?.body_html && this.beside ? html`<div class="card reviewed"><mk-mailframe .mail=${c} @failed=${() => { this.beside = false; }}></mk-mailframe></div>`
        : c ? folded(c.body_text) : html`<p class="soft"><bdi>${clean(a.snippet)}</bdi></p>`}</section>`;
  }

  #body(m) {
    const designed = m.body_html && !this.tangled;
    return html`${designed ? html`<p class="row"><button class="small" aria-pressed=${Boolean(this.plain)} @click=${() => { this.plain = !this.plain; }}>${this.plain ? "Show its design" : "Show its text"}</button></p>` : nothing}
      ${designed && !this.plain ? html`<div class="card reviewed"><mk-mailframe .mail=${m} @failed=${() => { this.tangled = true; }}></mk-mailframe></div>` : tabs.text(m.body_text)}
      ${m.body_truncated ? html`<p class="note plain">This message is larger than 1 MB; its beginning is shown.</p>` : nothing}`;
  }

  #open() {
    const m = this.page.email;
    this.problem = null;
    this.edit = { subject: m.subject, text: m.body_text, html: m.body_html, alone: false, ...Object.fromEntries(lists.map((name) => [name, people(m[name])])) };
  }

  // changes are the members that the form changes.
  #changes() {
    const m = this.page.email, e = this.edit, body = { version: this.page.version };
    if (e.subject !== m.subject) body.subject = e.subject;
    for (const name of lists) if (e[name] !== people(m[name])) body[name] = addresses(e[name]);
    if (e.text !== m.body_text || e.alone) body.text = e.text;
    if (e.alone) body.html = null;
    else if (e.html !== m.body_html) body.html = e.html;
    return body;
  }

  async #save(event) {
    event.preventDefault();
    const body = this.#changes();
    if (Object.keys(body).length === 1) {
      this.edit = null;
      return;
    }
    this.busy = true;
    try {
      this.page = await held.request("PATCH", `reviews/${this.id}`, { body });
      this.edit = null;
    } catch (e) {
      this.problem = e;
    } finally {
      this.busy = false;
    }
  }

  #form(m) {
    const input = (name) => (e) => {
      this.edit = { ...this.edit, [name]: e.target.value };
      if (this.problem?.code !== "review_changed") this.problem = null; // it may be right now
    };
    const blamed = [...lists, "subject", "text"].find((name) => this.problem?.status === 400 && this.problem.body?.field === name);
    const wrong = (name) => (name === blamed ? html`<small class="wrong" role="alert">${this.problem.message}</small>` : nothing);
    const field = (name, label) => html`<label class="field"><span>${label}</span><input .value=${this.edit[name]} autocomplete="off" aria-invalid=${name === blamed ? "true" : nothing} @input=${input(name)}>${wrong(name)}</label>`;
    return html`${heading("Edit", "It stays here until somebody approves it.")}
      <form class="card edit" @submit=${this.#save}>
        ${field("to", "To")}${field("cc", "Cc")}${field("bcc", "Bcc")}${field("subject", "Subject")}
        <label class="field"><span>Text</span><textarea rows="12" .value=${this.edit.text} aria-invalid=${blamed === "text" ? "true" : nothing} @input=${input("text")}></textarea>${wrong("text")}</label>
        ${m.body_html ? html`<label class="row"><input type="checkbox" .checked=${this.edit.alone} @change=${(e) => { this.edit = { ...this.edit, alone: e.target.checked }; }}>Send the text alone, without its HTML</label>` : nothing}
        ${m.body_html && !this.edit.alone ? html`<label class="field"><span>HTML</span><textarea rows="8" spellcheck="false" .value=${this.edit.html} @input=${input("html")}></textarea></label>` : nothing}
        ${this.problem && !blamed ? html`<p class="note bad" role="alert">${this.problem.message}
          ${this.problem.code === "review_changed" ? html`<button type="button" class="small" @click=${() => { this.edit = null; this.load(); }}>Show it as it is now</button>` : nothing}</p>` : nothing}
        <div class="row end"><button type="button" @click=${() => { this.edit = null; }}>Do not change it</button><button class="primary" ?disabled=${this.busy}>Save</button></div>
      </form>`;
  }
}
customElements.define("mk-review", Review);

function people(list) {
  return list.map((a) => (a.name ? `"${clean(a.name).replaceAll('"', "'")}" <${clean(a.address)}>` : clean(a.address))).join(", ");
}

// recipients are all who would get a message.
export function recipients(m) {
  return clean(m.deliveries.filter((d) => d.status !== "canceled").map((d) => d.recipient).join(", "));
}
