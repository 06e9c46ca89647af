// Mail in a list, with the open message next to it: the inbox, the outbox and what a search found.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { subject as subjectOf, person, plural } from "../app/format.js";
import { live } from "../app/live.js";
import { go, open, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, empty, options } from "../part/view.js";
import { Bulk } from "../part/bulk.js";
import { Pager } from "../part/pager.js";
import { chips, dayJump, endOf } from "../part/chips.js";
import { say, whisper } from "../part/toast.js";
import { question } from "../part/dialog.js";
import { mailRow, rowHeight, slim } from "../part/mailrow.js";
import "../part/list.js";
import "../part/searchhelp.js";
import "../part/welcome.js";
import "./message.js";

const filters = {
  inbox: [["", "All"], ["is:unseen", "Not seen"], ["has:code", "With a code"], ["has:attachment", "With attachments"], ["trust=suspicious", "Suspicious sender"],
    ["trust=unverified", "Sender not verified"], ["trust=verified", "Sender verified"], ["screening=dangerous", "Dangerous to a model"], ["screening=flagged", "Flagged"]],
  outbox: [["", "All"], ["status=scheduled", "Scheduled"], ["status=held", "Waiting for approval"], ["status=queued,sent,delivery_delayed", "Under way"], ["status=delivered", "Delivered"],
    ["status=bounced,failed,complained,suppressed", "Not delivered"], ["status=rejected,expired,canceled", "Not sent"], ["status=captured", "Captured"]],
};
const modes = [["hybrid", "Both"], ["keyword", "Words"], ["semantic", "Meaning"]];

class Mail extends Page {
  static properties = { folder: {}, id: {}, params: { attribute: false }, fresh: { state: true } };

  constructor() {
    super();
    this.fresh = 0; // new mail above what is seen
    this.bulk = new Bulk(this);
    this.onMail = (e) => this.#happened(e.detail);
    this.onGone = (e) => this.#gone(e.detail);
    this.onLook = () => this.#look();
    this.onLeft = () => { this.inside = document.hasFocus(); }; // a mail's frame has the focus, and the person is still here
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
    addEventListener("mk-gone", this.onGone);
    addEventListener("focus", this.onLook);
    addEventListener("blur", this.onLeft);
    document.addEventListener("visibilitychange", this.onLook);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
    removeEventListener("mk-gone", this.onGone);
    removeEventListener("focus", this.onLook);
    removeEventListener("blur", this.onLeft);
    document.removeEventListener("visibilitychange", this.onLook);
    clearTimeout(this.soon);
  }

  willUpdate(changed) {
    const asked = ["q", "f", "d", "mode"].map((name) => this.params.get(name)).join("\n");
    if (changed.has("params") && this.asked !== undefined && asked !== this.asked) {
      this.ready = false;
      this.load();
    }
    this.asked = asked;
  }

  async fetch() {
    const changed = () => this.requestUpdate();
    const f = this.params.get("f");
    const q = this.params.get("q");
    this.pager = null;
    this.bulk.ids.clear();
    if (this.folder === "search") {
      if (!q) return;
      this.pager = new Pager({ path: "search", query: { q, mode: this.params.get("mode") ?? "hybrid", screening: "any" }, member: "emails", slim, changed });
    } else {
      const direction = this.folder === "inbox" ? "inbound" : "outbound";
      const [, by, value] = f?.match(/^(status|trust|screening)=(.*)$/) ?? ["", "query", f];
      this.pager = new Pager({ path: "inbox", query: { direction, screening: this.folder === "inbox" ? "any" : "", [by]: value, until: endOf(this.params.get("d") ?? "") }, member: "emails", slim, changed });
    }
    await this.pager.next(50);
  }

  // happened brings the list up to date, a moment later, so that a flood of mail is one request.
  #happened(event) {
    if (!this.ready || this.folder === "search" || (event.event === "message.received") !== (this.folder === "inbox")) return;
    this.#refresh();
  }

  // look finds what was deleted while nobody looked: no event tells of it.
  #look() {
    const inside = this.inside;
    this.inside = false;
    if (inside || document.hidden || !this.ready || !session.me) return;
    if (this.folder !== "search") this.#refresh();
    this.#check();
  }

  // check asks for the open message: who finds it gone tells the page.
  #check() { if (this.id) own("GET", "email", { query: { id: this.id } }).catch(() => {}); }

  #refresh() {
    clearTimeout(this.soon);
    this.soon = setTimeout(async () => {
      if (!this.ready || !this.pager) return;
      const list = this.querySelector("mk-list");
      const n = await this.pager.refresh(!this.params.get("f") && !this.params.get("d")).catch(() => 0);
      if (this.id && !this.pager?.items.some((m) => m.id === this.id)) this.#check();
      if (n < 0) list?.top();
      if (n <= 0) return;
      const first = this.pager.items[0];
      whisper(`${plural(n, "new message")}. ${person(first.from_name, first.from_address)}: ${subjectOf(first.subject)}`);
      if (list && !list.atTop) this.fresh += n;
      list?.grown(n);
    }, 120);
  }

  // gone takes a message away that somebody else has deleted, unless an answer to it is being written.
  #gone(id) {
    if (this.bulk.doing || !this.pager?.items.some((m) => m.id === id) && this.querySelector("mk-message")?.mail?.id !== id) return;
    this.pager?.drop(id);
    if (this.lost !== id) say("It was deleted.");
    this.lost = id;
    dispatchEvent(new Event("mk-counted"));
    if (this.id === id && !this.querySelector("mk-compose form")) open(this.#address(""));
  }

  // move and deed are for the keyboard.
  // With a message open they go to the next one.
  async move(by) {
    const list = this.querySelector("mk-list");
    if (!list) return;
    const at = this.id ? this.pager.items.findIndex((m) => m.id === this.id) : -1;
    if (at >= 0) list.current = at;
    await list.move(by);
    const next = this.pager.items[list.current];
    if (this.id && next && next.id !== this.id) open(this.#address(next.id));
  }

  deed(name) {
    if (name === "back") return this.#back();
    const row = this.pager?.items[this.querySelector("mk-list")?.current ?? -1];
    if (name === "choose") return row && session.may && this.bulk.pick(row.id);
    const id = this.id || row?.id;
    if (!id || !session.may) return;
    if (name === "delete") this.#remove(id);
    else if (name === "unseen") this.#unseen(id);
    else if (session.holds("send")) open(this.#address(id, { [name]: id }));
  }

  // does what a button asks for: a deed about the open message, or about another one of its conversation.
  #does(deed) {
    if (typeof deed === "string") return this.deed(deed);
    open(this.#address(this.id, { [deed.name]: deed.id }));
  }

  #back() {
    const index = this.pager?.items.findIndex((m) => m.id === this.id) ?? -1;
    if (this.id) open(this.#address(""));
    if (index >= 0) this.updateComplete.then(() => this.querySelector("mk-list")?.focusRow(index));
  }

  async #remove(id) {
    const done = await question({ title: "Delete this message?", text: "It is gone for good, with its attachments. What is still queued is not sent.",
      action: "Delete", danger: true,
      run: () => own("DELETE", "email", { query: { id } }).catch((e) => { if (e.status !== 404) throw e; return {}; }) }); // somebody else was first
    if (!done) return;
    this.pager?.drop(id);
    say("Deleted.");
    dispatchEvent(new Event("mk-counted"));
    if (this.id === id) open(this.#address(""));
  }

  async #unseen(id) {
    const m = await this.act(() => own("PATCH", "email", { query: { id }, body: { seen: false } }), "Marked as not seen.");
    if (!m) return;
    this.pager?.replace({ id, seen: false });
    dispatchEvent(new Event("mk-counted"));
    if (this.id === id) open(this.#address(""));
  }

  // address is that of a message in this list, with what is added to it; what it answers is not kept.
  #address(id, added = {}) {
    const { reply, all, forward, ...kept } = Object.fromEntries(this.params);
    return to(this.folder, id, { ...kept, ...added });
  }

  render() {
    const reading = this.id && !this.failure?.paused; // the list says that the mailbox is paused
    return html`<div class="mail ${reading ? "reading" : ""}"><section class="listing" aria-label=${this.#title()}>
      ${this.folder === "search" ? this.#modes() : this.#filters()}${this.bulk.bar()}${super.render()}</section>
      <section class="reader" aria-label="Message">${reading
        ? html`<mk-message .id=${this.id} .folder=${this.folder} .params=${this.params} @back=${this.#back} @deed=${(e) => this.#does(e.detail)} @left=${() => open(this.#address(this.id))}
            @seen=${(e) => this.pager?.replace({ id: e.detail, seen: true })}></mk-message>`
        : html`<div class="state quiet">${this.pager?.items.length ? "Choose a message to read it here." : ""}</div>`}</section></div>`;
  }

  #title() { return { inbox: "Inbox", outbox: "Outbox", search: "Search" }[this.folder]; }

  #filters() {
    const chosen = this.params.get("f") ?? "";
    const day = this.params.get("d") ?? "";
    const name = filters[this.folder].find(([value]) => value && value === chosen)?.[1];
    return html`<div class="bar"><h1 tabindex="-1">${this.#title()}</h1>
      ${session.may && this.pager?.items.length && !this.bulk.ids.size ? html`<button class="small" title="Everything that the filter lets through" @click=${() => this.bulk.all()}>Choose all</button>` : nothing}
      <div class="row narrowing"><select aria-label="Show" @change=${(e) => go(this.folder, "", { f: e.target.value, d: day })}>
        ${options(filters[this.folder], chosen)}</select>${dayJump(day, (d) => go(this.folder, "", { f: chosen, d }))}</div></div>
      ${chosen || day ? chips([[name ?? chosen, () => go(this.folder, "", { d: day })], [day && `until ${day}`, () => go(this.folder, "", { f: chosen })]], this.ready ? this.pager : null) : nothing}`;
  }

  #modes() {
    const mode = this.params.get("mode") ?? "hybrid";
    const q = this.params.get("q") ?? "";
    return html`<div class="bar"><h1 tabindex="-1">Search</h1><div class="segments" role="group" aria-label="Search by">
      ${modes.map(([value, text]) => html`<button aria-pressed=${value === mode} @click=${() => go("search", "", { q, mode: value })}>${text}</button>`)}
    </div></div>${q ? chips([[q, () => go("search")]], this.ready ? this.pager : null) : nothing}`;
  }

  content() {
    if (!this.pager) return html`<mk-searchhelp></mk-searchhelp>`;
    const { items } = this.pager;
    if (items.length === 0 && !this.pager.more) return this.#nothing();
    const fresh = () => { this.fresh = 0; this.querySelector("mk-list").top(); };
    return html`${this.fresh ? html`<button class="fresh" @click=${fresh}>${plural(this.fresh, "new message")}</button>` : nothing}
      <mk-list label=${this.#title()} .items=${items} .more=${this.pager.more} height=${rowHeight(this.folder)}
        .row=${(m) => mailRow(m, { folder: this.folder, open: m.id === this.id, href: this.#address(m.id), chosen: session.may ? this.bulk.ids.has(m.id) : null, choose: (range) => this.bulk.pick(m.id, range) })}
        .foot=${html`<p class="listend">${this.pager.broken ? html`The rest could not be loaded. <button class="small" @click=${() => this.load()}>Try again</button>` : plural(items.length, "message")}</p>`}></mk-list>`;
  }

  #nothing() {
    if (this.folder === "search") return html`${empty("Nothing found", "No message fits. Try fewer words, or search by meaning.")}<mk-searchhelp></mk-searchhelp>`;
    if (this.params.get("f") || this.params.get("d")) return empty("Nothing here", "No message fits this filter.");
    if (this.folder === "outbox") {
      return empty("Nothing was sent yet", "Messages that this mailbox sends are here, with what became of them for each recipient.",
        session.may ? html`<a class="button" href=${to("compose")}>Compose</a>` : nothing);
    }
    return html`<mk-welcome></mk-welcome>`;
  }
}
customElements.define("mk-mail", Mail);
