// The conversations of a mailbox, by their newest message, with the open one next to the list and an answer below it.

import { html, nothing, repeat } from "../vendor/lit.js";
import { clean, moment, person, plural, subject, when } from "../app/format.js";
import { live } from "../app/live.js";
import { open, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, empty } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { copyButton } from "../part/copy.js";
import { icon } from "../part/icon.js";
import "../part/list.js";
import { say } from "../part/toast.js";
import "./compose.js";
import { about } from "./draft.js";
import "./thread.js";

const answers = ["reply", "all", "forward"];
const every = 10_000; // milliseconds after which what was deleted elsewhere is looked for

class Threads extends Page {
  static properties = { id: {}, params: { attribute: false } };

  constructor() {
    super();
    this.onMail = () => {
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.#refresh(), 150);
    };
    this.onLook = () => { if (!document.hidden) this.onMail(); };
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
    addEventListener("focus", this.onLook);
    addEventListener("mk-gone", this.onMail);
    this.clock = setInterval(this.onLook, every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
    removeEventListener("focus", this.onLook);
    removeEventListener("mk-gone", this.onMail);
    clearInterval(this.clock);
    clearTimeout(this.soon);
  }

  // refresh brings the list up to date, and the open conversation where the list says that it is another one by now.
  async #refresh() {
    if (!this.ready || !session.me) return;
    const says = () => { const t = this.pager.items[this.#index]; return t && `${t.received_at} ${t.message_count}`; };
    const before = says();
    await this.pager.refresh(true).catch(() => {});
    if (this.isConnected && this.id && (says() !== before || !before)) this.querySelector("mk-thread")?.look();
  }

  // lost leaves a conversation that somebody has deleted, unless an answer is being written.
  #lost() {
    if (this.querySelector("mk-compose")) return;
    say("The conversation was deleted.");
    open(to("threads"));
  }

  async fetch() {
    this.pager = new Pager({ path: "threads", member: "threads", key: "thread_id", changed: () => this.requestUpdate() });
    await this.pager.next(50);
  }

  get #index() { return this.pager?.items.findIndex((t) => t.thread_id === this.id) ?? -1; }

  // move and deed are for the keyboard.
  async move(by) {
    const list = this.querySelector("mk-list");
    if (!list) return;
    if (this.#index >= 0) list.current = this.#index;
    await list.move(by);
    const next = this.pager.items[list.current];
    if (this.id && next && next.thread_id !== this.id) open(to("threads", next.thread_id));
  }

  deed(name) {
    if (name === "back") return this.#back();
    if (this.id && answers.includes(name) && session.may) this.#answer(name, this.querySelector("mk-thread")?.pager?.items.at(-1)?.id);
  }

  #back() {
    const at = this.#index;
    open(to("threads"));
    if (at >= 0) this.updateComplete.then(() => this.querySelector("mk-list")?.focusRow(at));
  }

  #answer(name, id) { if (id) open(to("threads", this.id, { [name]: id })); }

  #sent() {
    open(to("threads", this.id));
    this.querySelector("mk-thread")?.look();
    this.#refresh();
  }

  render() {
    const writes = session.may && session.holds("send") && answers.some((a) => this.params.get(a));
    const t = this.pager?.items[this.#index] ?? this.querySelector("mk-thread")?.pager?.items[0]; // one further down in the list
    const reading = this.id && !this.failure?.paused;
    return html`<div class="mail ${reading ? "reading" : ""}"><section class="listing" aria-label="Conversations">
        <div class="bar"><h1 tabindex="-1">Conversations</h1></div>${super.render()}</section>
      <section class="reader" aria-label="Conversation">${reading ? html`<article class="message">
          <div class="actions"><button class="bare only-phone" @click=${() => this.#back()}>${icon("back")}<span>Back</span></button>
            <h2 tabindex="-1"><bdi>${subject(t?.subject)}</bdi></h2></div>
          <mk-thread .thread=${this.id} @deed=${(e) => this.#answer(e.detail.name, e.detail.id)} @loaded=${() => this.requestUpdate()} @lost=${this.#lost}></mk-thread>
          ${writes ? repeat([about(this.params)], (k) => k, () => html`<mk-compose inline .params=${this.params} @sent=${this.#sent} @left=${() => open(to("threads", this.id))}></mk-compose>`) : nothing}</article>`
        : html`<div class="state quiet">${this.pager?.items.length ? "Choose a conversation to read it here." : ""}</div>`}</section></div>`;
  }

  content() {
    const { items } = this.pager;
    if (items.length === 0) return empty("No conversations yet", "Messages that answer each other are here as one.");
    return html`<mk-list label="Conversations" .items=${items} .more=${this.pager.more} .key=${(t) => t.thread_id} height="60" .row=${(t) => this.#row(t)}
      .foot=${html`<p class="listend">${plural(items.length, "conversation")}</p>`}></mk-list>`;
  }

  #row(t) {
    const others = t.participants.filter((p) => p.address.toLowerCase() !== session.mailbox.toLowerCase());
    const names = (others.length ? others : t.participants).slice(0, 4).map((p) => person(p.name, p.address)).join(", ");
    return html`<article class="mailrow ${t.thread_id === this.id ? "open" : ""}"><a href=${to("threads", t.thread_id)} aria-current=${t.thread_id === this.id ? "true" : nothing}>
      <span class="line1"><bdi class="from">${names || person(t.from_name, t.from_address)}</bdi>${t.message_count > 1 ? html`<span class="soft" title=${plural(t.message_count, "message")}>${t.message_count}</span>` : nothing}
        <time datetime=${t.received_at} title=${moment(t.received_at)}>${when(t.received_at)}</time></span>
      <span class="line2"><bdi class="subject">${subject(t.subject)}</bdi>${t.has_attachments ? html`<span title="Has attachments">${icon("clip")}<span class="offscreen">Has attachments.</span></span>` : nothing}
        ${t.labels.includes("suspicious") ? html`<span class="badge bad">suspicious</span>` : nothing}</span></a>
      ${t.code ? html`<span class="chip"><code>${clean(t.code)}</code>${copyButton(t.code, "Code")}</span>` : nothing}</article>`;
  }
}
customElements.define("mk-threads", Threads);
