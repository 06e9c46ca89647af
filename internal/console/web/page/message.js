// One message: what it says, whether it can be believed, and what became of it.

import { html, nothing, repeat } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, moment, person, subject } from "../app/format.js";
import { live } from "../app/live.js";
import { session } from "../app/session.js";
import { Page, badge } from "../part/view.js";
import { copyButton } from "../part/copy.js";
import { icon } from "../part/icon.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";
import * as tabs from "./messagetabs.js";
import "../part/mailframe.js";
import "../part/cards.js";
import "./agent.js";
import "./compose.js";
import { about } from "./draft.js";
import "./check.js";
import "./deliveries.js";
import "./history.js";
import "./raw.js";
import "./thread.js";

// reviewed says what people decided about a message.
const reviewed = { held: "It waits for a person's approval.", approved: "A person approved it.", rejected: "A person rejected it; it is not sent.",
  expired: "Nobody approved it in time; it is not sent.", canceled: "It was called back before somebody decided." };

class Message extends Page {
  static properties = { id: {}, folder: {}, params: { attribute: false }, mail: { state: true }, tangled: { state: true }, tab: { state: true }, remote: { state: true }, withheld: { state: true } };

  constructor() {
    super();
    this.tab = "";
    this.early = ""; // what was typed for an answer before the message was there
    this.onMail = (e) => { if (e.detail.email_id === this.id && e.detail.event !== "message.received") this.#again(); };
    this.onCanceled = (e) => { if (e.detail === this.id) this.#again(); };
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
    addEventListener("mk-canceled", this.onCanceled);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
    removeEventListener("mk-canceled", this.onCanceled);
  }

  willUpdate(changed) {
    if (changed.has("params")) this.early = "";
    if (!changed.has("id") || changed.get("id") === undefined) return;
    this.ready = false;
    this.tab = "";
    this.remote = this.withheld = false;
    this.load();
  }

  async fetch(wanted = () => true) {
    const id = this.id;
    const mail = await own("GET", "email", { query: { id, mark_seen: true } });
    if (id !== this.id || !wanted()) return;
    this.mail = mail;
    this.tangled = false;
    if (mail.direction === "inbound" && session.may) {
      this.dispatchEvent(new CustomEvent("seen", { detail: id }));
      dispatchEvent(new Event("mk-counted"));
    }
  }

  // again brings what is shown up to date; failing that it stays, with the answer that may be written below it.
  #again() { this.ready ? this.fetch().catch(() => {}) : this.load(); }

  // shown are the ways to look at this message.
  #tabs() {
    const m = this.mail;
    const designed = m.body_html && !this.tangled;
    return [
      designed && ["html", "Message"],
      ["text", designed ? "Text" : "Message"],
      m.direction === "inbound" && m.reply_text && m.reply_text !== m.body_text && ["reply", "Reply text"],
      m.links.length && ["links", `Links ${m.links.length}`],
      m.attachments.length && ["files", `Attachments ${m.attachments.length}`],
      m.deliveries && ["deliveries", "Deliveries"],
      ["trust", "Trust"],
      ["check", "Check"],
      ["agent", "Agent"],
      ["thread", "Thread"],
      ["history", "History"],
      ["headers", "Headers"],
      !session.provisional && ["raw", "Raw"],
    ].filter(Boolean);
  }

  content() {
    const m = this.mail;
    const list = this.#tabs();
    const tab = list.some(([name]) => name === this.tab) ? this.tab : list[0][0];
    return html`<article class="message">
      ${this.#actions()}
      <header><h2 tabindex="-1" title=${subject(m.subject).slice(0, 2000)}><bdi>${subject(m.subject)}</bdi></h2>
        <p class="people"><strong><bdi>${person(m.from_name, m.from_address)}</bdi></strong>
          ${m.from_name ? html`<span class="soft"><bdi>${clean(m.from_address)}</bdi></span>` : nothing}
          <span class="soft">to</span> <bdi>${people(m.to) || clean(m.to_address)}</bdi>
          ${m.cc.length ? html`<span class="soft">cc</span> <bdi>${people(m.cc)}</bdi>` : nothing}</p>
        <p class="marks"><time datetime=${m.received_at}>${moment(m.received_at)}</time>
          ${m.direction === "inbound" ? badge(m.trust.level) : badge(m.status)}
          ${m.screening && m.screening.verdict !== "clean" ? badge(m.screening.verdict, `screening: ${m.screening.verdict}`) : nothing}
          ${m.send_at ? html`<span>leaves ${moment(m.send_at)}</span>` : nothing}
          ${m.captured && m.status !== "captured" ? html`<span class="badge plain">captured</span>` : nothing}
          ${m.labels.map((l) => this.#label(l))}
          ${session.may ? html`<button class="small" @click=${this.#addLabel}>Add label</button>` : nothing}</p></header>
      ${m.code ? html`<div class="code"><span class="soft">Code</span><output>${clean(m.code)}</output>${copyButton(m.code, "Code", "Copy")}</div>` : nothing}
      ${this.#warnings()}
      ${m.direction === "inbound" || m.captured ? html`<mk-cards .mail=${m}></mk-cards>` : nothing}
      <div class="tabs" role="tablist" aria-label="Ways to look at the message" @keydown=${this.#turn}>
        ${list.map(([name, text]) => html`<button role="tab" id="tab-${name}" aria-selected=${name === tab} aria-controls="pane"
          tabindex=${name === tab ? 0 : -1} @click=${() => { this.tab = name; }}>${text}</button>`)}</div>
      <div class="pane ${tab}" id="pane" role="tabpanel" aria-labelledby="tab-${tab}">${this.#pane(tab)}</div>
      ${this.#answer()}
    </article>`;
  }

  // answer is what is written about this message, below it.
  #answer() {
    if (!session.may || !session.holds("send") || !["reply", "all", "forward"].some((kind) => this.params?.get(kind))) return nothing;
    const leave = () => this.dispatchEvent(new Event("left"));
    const sent = () => { leave(); this.tab = "thread"; this.querySelector("mk-thread")?.look(); };
    return repeat([about(this.params)], (k) => k, () => html`<mk-compose inline .params=${this.params} @left=${leave} @sent=${sent}></mk-compose>`);
  }

  // turn moves between the tabs with the arrow keys.
  #turn(e) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!by) return;
    const all = [...this.querySelectorAll("[role=tab]")];
    const next = all[(all.indexOf(e.target) + by + all.length) % all.length];
    next.click();
    next.focus();
  }

  #actions() {
    const deed = (name) => () => this.dispatchEvent(new CustomEvent("deed", { detail: name }));
    const button = (name, text, picture) => html`<button class="bare" title=${text} @click=${deed(name)}>${icon(picture)}<span>${text}</span></button>`;
    return html`<div class="actions"><button class="bare only-phone" @click=${() => this.dispatchEvent(new Event("back"))}>${icon("back")}<span>Back</span></button>
      ${session.may ? html`${button("reply", "Reply", "reply")}${button("all", "Reply all", "all")}${button("forward", "Forward", "forward")}
        <span class="gap"></span>${["scheduled", "held"].includes(this.mail.status) ? html`<button class="bare" title="Send at another time" @click=${() => this.#move()}>${icon("compose")}<span>Send at another time</span></button>` : nothing}${["scheduled", "queued", "held"].includes(this.mail.status) ? html`<button class="bare" title="Cancel sending" @click=${() => this.#cancel()}>${icon("back")}<span>Cancel sending</span></button>` : nothing}${this.mail.direction === "inbound" ? button("unseen", "Not seen", "unseen") : nothing}${button("delete", "Delete", "trash")}` : nothing}</div>`;
  }

  #warnings() {
    const m = this.mail;
    return html`
      ${m.trust.level === "suspicious" ? html`<p class="note bad"><strong>Do not trust this message.</strong> ${clean(m.trust.reasons.join(" "))}</p>` : nothing}
      ${m.screening && m.screening.verdict !== "clean" ? html`<p class="note ${m.screening.verdict === "dangerous" ? "bad" : "warn"}">It tries to give orders to a model that reads it:
        ${m.screening.findings.map((f) => f.rule).join(", ")}.</p>` : nothing}
      ${m.review ? html`<p class="note ${m.review.status === "rejected" ? "bad" : m.review.status === "held" ? "warn" : "plain"}">${reviewed[m.review.status]}
        ${clean(m.review.reason || (m.review.status === "held" ? m.review.reasons.join(" ") : ""))}</p>` : nothing}
      ${m.captured ? html`<p class="note plain">This message did not leave the machine.
        ${m.deliveries.some((d) => d.simulated && d.status !== "captured") ? "What became of it at the simulator's addresses is simulated." : nothing}</p>` : nothing}
      ${this.tangled ? html`<p class="note plain">Its design is made so that it would keep the browser busy. This is its text.</p>` : nothing}
      ${m.body_truncated ? html`<p class="note plain">This message is larger than 1 MB; its beginning is shown.</p>` : nothing}
      ${this.withheld && !this.remote ? html`<p class="note plain">Pictures from elsewhere are not loaded: they tell the sender that and where you read.
        <button class="small" @click=${() => { this.remote = true; }}>Load them</button></p>` : nothing}`;
  }

  #label(label) {
    if (!session.may) return html`<span class="badge plain">${clean(label)}</span>`;
    return html`<span class="badge plain"><bdi>${clean(label)}</bdi><button class="bare" aria-label="Remove label ${clean(label)}" @click=${() => this.#change({ remove_labels: [label] })}>×</button></span>`;
  }

  async #move() {
    const m = await question({ title: "When is it sent?", action: "Set", fields: [{ name: "at", label: "At", type: "datetime-local", required: true, hint: "Your time, up to 30 days ahead" }],
      run: ({ at }) => own("PATCH", "email", { query: { id: this.id }, body: { send_at: new Date(at).toISOString() } }) });
    if (!m) return;
    this.mail = m;
    say("It is sent at that time.");
  }

  async #cancel() {
    const done = await this.act(() => own("POST", "email/cancel", { query: { id: this.id } }), "Canceled.");
    if (done) this.mail = await own("GET", "email", { query: { id: this.id } });
  }

  async #change(body) {
    const m = await this.act(() => own("PATCH", "email", { query: { id: this.id }, body }));
    if (m?.id) this.mail = m;
  }

  async #addLabel() {
    const m = await question({ title: "Add a label", fields: [{ name: "label", label: "Label", required: true, hint: "Small letters, digits, - and _" }], action: "Add",
      run: ({ label }) => own("PATCH", "email", { query: { id: this.id }, body: { add_labels: [label.trim().toLowerCase()] } }) });
    if (m) this.mail = m;
  }

  #pane(tab) {
    const m = this.mail;
    switch (tab) {
      case "html": return html`<mk-mailframe .mail=${m} ?remote=${this.remote} @shown=${(e) => { this.withheld = e.detail; }}
        @failed=${() => { if (this.mail === m) this.tangled = true; }}></mk-mailframe>`;
      case "reply": return tabs.text(m.reply_text);
      case "links": return tabs.links(m);
      case "files": return tabs.files(m);
      case "deliveries": return html`<mk-deliveries .mail=${m}></mk-deliveries>`;
      case "agent": return html`<mk-agent .mail=${m}></mk-agent>`;
      case "check": return html`<mk-check .mail=${m}></mk-check>`;
      case "trust": return tabs.trust(m);
      case "thread": return html`<mk-thread .thread=${m.thread_id} .id=${m.id}></mk-thread>`;
      case "history": return html`<mk-history .mail=${m}></mk-history>`;
      case "headers": return tabs.headers(m);
      case "raw": return html`<mk-raw .mail=${m}></mk-raw>`;
    }
    return tabs.text(m.body_text);
  }
}
customElements.define("mk-message", Message);

function people(list) {
  const names = list.slice(0, 8).map((a) => clean(a.name) || clean(a.address)).join(", ");
  return list.length > 8 ? `${names} and ${list.length - 8} more` : names;
}
