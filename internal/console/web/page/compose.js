// Writing a message, an answer, or sending one on. What is typed is kept in this tab at once and saved as a draft on the
// server a moment later, so that neither a reload nor a key that ends loses it.

import { html, live as bound, nothing } from "../vendor/lit.js";
import { bytes, own } from "../app/api.js";
import { bytesOf, clean, person, plural, subject } from "../app/format.js";
import { back, go, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, heading, latest, options } from "../part/view.js";
import { icon } from "../part/icon.js";
import { about, addresses, changed, encode, explained, fromStored, list, orphaned, prefixed, sentWord, undo, write } from "./draft.js";
import { designed, quoted } from "./quote.js";
import { say } from "../part/toast.js";
import "../part/mailframe.js";

const pause = 1500; // after the last key, in milliseconds, until a draft is saved
const written = ["to", "cc", "bcc", "subject", "text", "html", "from", "later"]; // what a person writes
const blank = () => ({ ...Object.fromEntries(written.map((name) => [name, ""])), files: [], stored: null, token: crypto.getRandomValues(new Uint32Array(4)).join("-") });

const storing = new Map(); // what is being saved after its page was left, by its slot

// Compose is a page, or inline below the message that it answers or sends on. Inline it tells when the message was "sent",
// and when it is "left".
class Compose extends Page {
  static properties = { params: { attribute: false }, inline: { type: Boolean }, sending: { state: true }, shown: { state: true }, copies: { state: true }, over: { state: true }, orphan: { state: true }, record: { state: true }, mail: { state: true }, draft: { state: true }, missing: { state: true }, problem: { state: true }, saved: { state: true } };

  constructor() {
    super();
    this.mailbox = session.mailbox; // also after another one is looked at
    this.early = ""; // what was typed before there was a field for it
    this.uploaded = []; // files that the server has by now: should it lose them, they are attached again
    this.missing = []; // names of files that are lost
    this.orphan = false; // the message that it answers or sends on was deleted: it is one of its own
  }

  get #kind() { return this.orphan ? "new" : this.#began; }
  get #began() {
    const s = this.draft?.stored;
    if (s) return s.reply ? (s.all ? "all" : "reply") : s.forward ? "forward" : "new";
    return ["reply", "all", "forward"].find((k) => this.asked.get(k)) ?? "new";
  }
  get #answers() { return this.#kind === "reply" || this.#kind === "all"; }
  get #answered() { return (this.draft?.stored ? this.draft.stored.email_id : this.asked.get(this.#began)) ?? ""; }
  get #slot() { return `mailkin.draft ${this.mailbox} ${this.draft?.stored?.id ?? `${this.#began} ${this.#answered}`}`; }

  #own(method, path, options = {}) { return own(method, path, { ...options, query: session.operator ? { mailbox: this.mailbox, ...options.query } : options.query }); }

  connectedCallback() {
    super.connectedCallback();
    const message = this.closest("mk-message");
    if (message) [this.early, message.early] = [message.early, ""];
  }

  willUpdate(changed) {
    if (!changed.has("params") || about(changed.get("params")) === about(this.params)) return;
    if (this.draft?.stored && String(this.draft.stored.id) === this.params.get("draft")) return; // it was saved meanwhile
    if (this.draft) return this.dispatchEvent(new Event("again", { bubbles: true })); // another message has a form of its own
    this.asked = this.params;
    this.begun = this.asked.get("draft") ? "" : this.#slot; // where it began, before it was a draft of the server
    this.draft = { ...blank(), ...(this.begun && this.#copy()) };
    this.saved = "";
  }

  updated() {
    const form = this.ready && !this.focused && this.querySelector("form.compose");
    const fields = form ? [...form.querySelectorAll("input[name], textarea:not(.mono)")] : [];
    let at = fields.findIndex((f) => (this.draft.to || this.#answers ? f.matches("textarea") : f.name === "to"));
    if (at < 0) return;
    this.focused = true;
    const lines = this.early.split("\t"); // what was typed for one field after the other
    this.early = "";
    if (lines.length < 2 && !lines[0] && document.activeElement?.matches("input:not([type=checkbox]), textarea, select")) return; // somebody types elsewhere
    for (const [n, text] of lines.entries()) {
      if (n > 0) at = Math.min(at + 1, fields.length - 1);
      write(fields[at], text);
    }
    if (this.inline) this.scrollIntoView({ block: "nearest" });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#flush();
  }

  async fetch() {
    await this.updateComplete; // willUpdate says what was begun
    await storing.get(this.begun);
    const begun = !this.asked.get("draft") && this.#copy()?.draft; // it was saved when the page was left
    const id = begun || this.asked.get("draft");
    if (id && String(this.draft?.stored?.id) !== id) {
      const kept = begun ? null : this.#copy(id);
      let stored = await this.#own("GET", `drafts/${id}`).catch((failure) => { if (!begun && !kept || failure.status !== 404) throw failure; return null; });
      if (stored?.sent && !begun && !kept) {
        say("This draft was sent already.");
        settle("outbox", stored.sent.id);
        throw new DOMException("another page", "AbortError");
      }
      const sent = stored?.sent;
      if (sent) stored = null;
      if (!stored && !kept) return this.#another(); // somebody sent it, or threw it away
      this.draft = stored ? fromStored(stored, this.draft ?? blank()) : { ...blank(), ...kept };
      if (!stored) await this.#alone(id, kept.attached ?? [], sent);
      const copy = stored && this.#copy();
      if (copy && written.some((name) => copy[name] !== this.draft[name])) { // typed after it was saved
        this.draft = { ...this.draft, stored: { ...stored, version: copy.version } }; // another version: saving says so
        this.#change(copy);
      }
      if (begun && !this.inline) settle("compose", "", { draft: id });
    }
    // What a draft answers may be deleted: it can be read all the same.
    const gone = (failure) => { if (!id || failure.status !== 404) throw failure; return null; };
    const wanted = this.#answered ? this.#own("GET", "email", { query: { id: this.#answered } }).catch(gone) : null;
    [this.record, this.mail] = await Promise.all([this.#own("GET", "mailbox"), wanted]);
    if (this.mail && !this.draft.stored && !this.#copy()) this.draft = { ...this.draft, ...this.#beginning() };
  }

  // beginning is what stands in an answer before somebody has typed: whom it goes to, its subject, and what it quotes.
  #beginning() {
    const m = this.mail, own = [this.record.mailbox, ...this.record.aliases].map((a) => a.toLowerCase());
    if (!this.#answers) return { subject: prefixed("Fwd: ", m.subject, /^(fwd?|wg|tr|rv):/i) };
    const to = m.direction === "outbound" ? m.to : m.reply_to.length ? m.reply_to : [{ address: m.from_address, name: m.from_name }];
    const known = new Set([...own, ...to.map((a) => a.address.toLowerCase())]);
    const cc = this.#kind === "all" ? [...m.to, ...m.cc].filter((a) => !known.has(a.address.toLowerCase()) && known.add(a.address.toLowerCase())) : [];
    return { to: list(to), cc: list(cc), subject: prefixed("Re: ", m.subject, /^(re|aw|antw|sv|vs):/i), text: `\n\n${quoted(m)}` };
  }

  // copy is what this tab has kept of the draft; null: nothing.
  #copy(id) {
    try {
      return JSON.parse(sessionStorage.getItem(id ? `mailkin.draft ${this.mailbox} ${id}` : this.#slot));
    } catch {
      return null;
    }
  }

  #change(change) {
    this.draft = { ...this.draft, ...change };
    if (this.problem && !changed(this.problem)) this.problem = null; // it may be right now
    const copy = Object.fromEntries(written.map((name) => [name, this.draft[name]]));
    try {
      sessionStorage.setItem(this.#slot, JSON.stringify({ ...copy, version: this.draft.stored?.version, attached: this.draft.stored?.attachments }));
    } catch {
      // larger than what a tab may keep: the server has it in a moment
    }
    this.unsaved = true;
    this.saved = "";
    clearTimeout(this.soon);
    if (session.holds("draft")) this.soon = setTimeout(() => this.#quietly(), pause);
  }

  get #empty() { return !this.draft.stored && written.every((name) => !this.draft[name].trim()) && this.draft.files.length === 0; }

  // quietly saves what was typed; that it failed is said beside the buttons, and the copy in this tab stays.
  async #quietly() {
    clearTimeout(this.soon);
    if (!this.unsaved || this.#empty || !session.me) return;
    if (changed(this.problem)) return; // the person decides
    if (this.busy) { this.soon = setTimeout(() => this.#quietly(), pause); return; }
    try {
      await this.#store();
      this.saved = "Saved as a draft.";
    } catch (failure) {
      if (changed(failure)) await this.#refused(failure);
      this.saved = "Kept in this tab, not saved on the server yet.";
    }
  }

  // refused shows why the server did not take the draft; of one that was sent, with the message that it became.
  async #refused(failure) {
    if (failure.code === "draft_sent") failure.sent = (await this.#own("GET", `drafts/${this.draft.stored.id}`).catch(() => null))?.sent?.id;
    this.problem = failure;
  }

  // unstored saves at once, and tells whether something is left that only this tab has.
  async unstored() {
    await this.#quietly();
    await this.storing;
    return Boolean(this.unsaved && !this.#empty);
  }

  // flush saves at once, when the page is left.
  #flush() {
    if (!this.draft || !session.holds("draft")) return;
    const slot = this.begun;
    storing.set(slot, Promise.all([this.#quietly(), this.storing]).finally(() => storing.delete(slot)));
  }

  // another leaves what was begun among the drafts, and begins with nothing.
  async #another() {
    await this.#quietly();
    sessionStorage.removeItem(this.begun);
    this.draft = blank();
    this.params.get("draft") ? go("compose") : this.dispatchEvent(new Event("again", { bubbles: true }));
  }

  // mine saves what is written here over what somebody else made of the draft, or as a new one where it is gone.
  async #mine() {
    const { id, attachments } = this.draft.stored;
    const done = await this.act(async () => {
      const found = await this.#own("GET", `drafts/${id}`).catch((failure) => { if (failure.status !== 404) throw failure; return null; });
      const stored = found?.sent ? null : found;
      this.draft = { ...this.draft, stored };
      this.problem = null;
      if (!stored) await this.#alone(id, attachments, found?.sent);
      await this.#store();
    }, "The draft is saved.");
    if (done) this.saved = "Saved as a draft.";
  }

  // alone goes on without a draft of the server that is gone. Its files come along: from this tab, or from the message
  // that it was sent as.
  async #alone(id, attachments, sent) {
    sessionStorage.removeItem(`mailkin.draft ${this.mailbox} ${id}`);
    this.unsaved = true;
    const message = sent && attachments.length ? await this.#own("GET", "email", { query: { id: sent.id } }).catch(() => null) : null;
    const found = await Promise.all(attachments.map(async (a) => this.uploaded.find((f) => f.name === a.filename && f.size === a.size_bytes) ?? this.#fetched(message, a)));
    this.missing = attachments.filter((_, i) => !found[i]).map((a) => a.filename);
    this.draft = { ...this.draft, files: [...found.filter(Boolean), ...this.draft.files] };
    say("This draft was sent or thrown away elsewhere. What is written here is a new one.");
  }

  // fetched is a file of a draft as the message has it that it was sent as; null: it cannot be had.
  async #fetched(message, wanted) {
    const same = message?.attachments.find((a) => a.filename === wanted.filename && a.size_bytes === wanted.size_bytes);
    if (!same) return null;
    const response = await bytes("attachment", { id: same.id, ...(session.operator && { mailbox: this.mailbox }) }).catch(() => null);
    return response && new File([await response.blob()], same.filename, { type: same.content_type });
  }

  // theirs shows what somebody else made of the draft, and gives up what is written here.
  async #theirs() {
    await this.act(async () => {
      const stored = await this.#own("GET", `drafts/${this.draft.stored.id}`);
      this.#forget();
      this.draft = fromStored(stored, this.draft);
      this.problem = null;
      this.saved = "";
    });
  }

  // forget removes the copy of this tab.
  #forget() {
    clearTimeout(this.soon);
    this.unsaved = false;
    sessionStorage.removeItem(this.#slot);
    sessionStorage.removeItem(this.begun);
  }

  async #send(e) {
    e.preventDefault();
    if (this.busy) return;
    this.busy = this.sending = true; // what is typed from here on would be lost
    this.problem = null;
    clearTimeout(this.soon);
    try {
      await this.storing; // what is being saved is part of what is sent
      let answer;
      if (this.draft.stored) {
        await this.#store();
        const { id, version } = this.draft.stored;
        answer = await this.#own("POST", `drafts/${id}/send`, { body: { version } });
      } else {
        const [path, body] = await this.#body();
        answer = await this.#own("POST", path, { body, headers: { "Idempotency-Key": this.draft.token } });
      }
      this.#forget();
      const waits = answer.status === "scheduled" && !this.draft.later;
      const [whom] = addresses(this.draft.to);
      const what = `The mail ${whom ? `to ${clean(whom)}` : subject(this.draft.subject)}`;
      say(waits ? `${what} is about to leave.` : sentWord(answer), "plain", waits ? { text: "Undo", seconds: this.record.undo_seconds || 4, run: undo(answer.id, session.operator ? this.mailbox : "", what) } : null);
      if (this.inline) this.dispatchEvent(new CustomEvent("sent", { detail: answer.id }));
      else go("outbox", answer.id);
    } catch (failure) {
      await this.#refused(failure);
      if (orphaned(failure)) this.#orphaned();
      if (failure.code === "automated_message") this.#change({ anyway: true }); // the person decides
    } finally {
      this.busy = this.sending = false;
    }
  }

  // store saves the draft on the server: a new one, or the version that was read. One request at a time.
  #store() {
    const before = this.storing ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#put());
    this.storing = mine.catch(() => {});
    return mine;
  }

  async #put() {
    try {
      await this.#write();
    } catch (failure) {
      if (this.orphan || !orphaned(failure)) throw failure;
      this.#orphaned();
      await this.#write();
    }
  }

  // after is the Message-ID of what it answers, where the server does not know that any more.
  get #after() { return this.orphan && this.#began !== "forward" ? this.mail?.message_id : undefined; }

  // orphaned makes it a message of its own, because the one that it is about was deleted.
  #orphaned() {
    if (this.#began === "forward") this.missing = this.mail?.attachments.map((a) => a.filename) ?? [];
    this.orphan = true;
  }

  async #write() {
    const d = this.draft, kind = this.#kind, slot = this.#slot;
    const body = { from: d.from || null, send_at: d.later ? new Date(d.later).toISOString() : null, text: d.text, html: d.html || null, subject: d.subject };
    for (const name of ["to", "cc", "bcc"]) body[name] = addresses(d[name]);
    if (d.anyway) body.force = true;
    if (this.orphan) Object.assign(body, { in_reply_to: this.#after, ...(d.stored && { email_id: null, reply: false, forward: false, all: false }) });
    else if (!d.stored && kind !== "new") Object.assign(body, { email_id: this.#answered, reply: kind !== "forward", forward: kind === "forward", all: kind === "all" });
    let stored = await (d.stored ? this.#own("PATCH", `drafts/${d.stored.id}`, { body: { ...body, version: d.stored.version } }) : this.#own("POST", "drafts", { body }));
    this.#keep(stored, d, slot);
    for (const file of d.files) { // one by one: what was attached need not be sent again
      if (!this.draft.files.includes(file)) continue; // taken off meanwhile
      stored = await this.#own("POST", `drafts/${stored.id}/attachments`, { body: await encode(file) });
      this.uploaded.push(file);
      this.draft = { ...this.draft, files: this.draft.files.filter((f) => f !== file) };
      this.#keep(stored, d, slot);
    }
    if (this.isConnected && !this.inline && this.params.get("draft") !== String(stored.id)) settle("compose", "", { draft: stored.id });
  }

  // keep notes what the server has. What was typed since the request began stays, and is saved next.
  #keep(stored, sent, slot) {
    this.draft = { ...this.draft, stored };
    if (!session.me) return; // signed out meanwhile: this tab keeps nothing
    sessionStorage.removeItem(slot);
    if (this.begun) sessionStorage.setItem(this.begun, JSON.stringify({ draft: String(stored.id) }));
    const typed = written.some((name) => this.draft[name] !== sent[name]);
    this.unsaved = typed || this.draft.files.length > 0;
    if (typed && this.isConnected) this.#change({});
  }

  async #save() {
    const refused = async (failure) => {
      if (!changed(failure)) throw failure;
      await this.#refused(failure);
      throw new Error("The draft is not saved.");
    };
    await this.act(() => this.#store().catch(refused), "The draft is saved.");
  }

  async #detach(n) {
    const { id } = this.draft.stored;
    const changed = await this.act(() => this.#own("DELETE", `drafts/${id}/attachments/${n}`));
    if (changed) this.draft = { ...this.draft, stored: changed };
  }

  async #body() {
    const d = this.draft;
    const body = { text: d.text, attachments: await Promise.all(d.files.map(encode)) };
    if (d.html) body.html = d.html;
    if (d.subject) body.subject = d.subject;
    if (d.from) body.from = d.from;
    if (d.later) body.send_at = new Date(d.later).toISOString();
    for (const name of ["to", "cc", "bcc"]) {
      const list = addresses(d[name]);
      if (list.length) body[name] = list;
    }
    switch (this.#kind) {
      case "reply": return ["reply", { ...body, email_id: this.#answered, force: d.anyway }];
      case "all": return ["reply", { ...body, email_id: this.#answered, all: true, force: d.anyway }];
      case "forward": return ["forward", { ...body, email_id: this.#answered }];
    }
    return ["send", { ...body, in_reply_to: this.#after }];
  }

  content() {
    const d = this.draft;
    const kind = this.#kind;
    const title = { new: "Compose", reply: "Reply", all: "Reply to all", forward: "Forward" }[kind];
    const answers = this.#answers;
    const copies = !this.inline || this.copies || d.cc || d.bcc;
    const head = html`${copies ? nothing : html`<button type="button" class="small" @click=${() => { this.copies = true; }}>Cc and Bcc</button>`}${d.stored && kind === "new" && !this.inline ? html`<button type="button" class="small" @click=${this.#another}>Another message</button>` : nothing}${this.#limit()}`;
    return html`${this.inline ? html`<header class="head"><h3>${title}</h3><div class="row">${head}</div></header>` : heading(title, nothing, head)}
      <form class="compose ${this.over ? "over" : ""}" @submit=${this.#send} @dragover=${this.#drag} @dragleave=${() => { this.over = false; }} @drop=${this.#drop} @paste=${this.#paste}>
        ${this.mail ? html`<p class="note plain">${this.orphan ? "It leaves as a message of its own, because this was deleted:" : answers ? "Answers" : "Sends on"} <strong><bdi>${subject(this.mail.subject)}</bdi></strong> from <bdi>${person("", this.mail.from_address)}</bdi>${kind === "forward" && this.mail.attachments.length ? `, with ${plural(this.mail.attachments.length, "attachment")}` : ""}.</p>` : nothing}
        ${this.record.aliases.length ? html`<label class="field"><span>From</span><select @change=${(e) => this.#change({ from: e.target.value })}>
          ${options([this.record.mailbox, ...this.record.aliases].map((a) => [a]), d.from || this.record.mailbox)}</select></label>` : nothing}
        ${this.#line("to", "To", answers ? "Whoever wrote it" : "Name <address>, several with commas", !answers)}
        ${copies ? html`${this.#line("cc", "Cc")}${this.#line("bcc", "Bcc")}` : nothing}
        ${this.#line("subject", "Subject")}
        <label class="field"><span>Text</span><textarea rows=${this.inline ? 8 : 14} ?readonly=${this.sending} .value=${bound(d.text)} ?required=${kind !== "forward"} aria-invalid=${this.#blamed === "text" ? "true" : nothing} @input=${(e) => this.#change({ text: e.target.value })}
          @keydown=${(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) e.target.form.requestSubmit(); }}></textarea>${this.#wrong("text")}</label>
        ${this.#html()}${this.#files()}
        <details class="field" ?open=${Boolean(d.later)}><summary>Send later</summary><label class="field"><span>At</span>
          <input type="datetime-local" max=${latest} .value=${bound(d.later)} aria-invalid=${this.#blamed === "send_at" ? "true" : nothing} @input=${(e) => this.#change({ later: e.target.value })}>${this.#wrong("send_at")}<small>Your time, up to 30 days ahead</small></label></details>
        ${this.problem && !this.#blamed ? html`<p class="note bad" role="alert">${explained(this.problem)}</p>` : nothing}
        ${d.stored && changed(this.problem) ? html`<p class="row"><button type="button" ?disabled=${this.busy} @click=${this.#mine}>Keep what is written here</button>
          ${this.problem.code === "draft_changed" ? html`<button type="button" ?disabled=${this.busy} @click=${this.#theirs}>Show the other version</button>` : nothing}</p>` : nothing}
        <div class="row"><button class="primary" ?disabled=${this.busy || this.#used() === "over"}>${this.busy ? "Sending" : d.anyway ? "Send anyway" : d.later ? "Schedule" : "Send"}</button>
          <button type="button" ?disabled=${this.busy} @click=${this.#save}>Save draft</button>
          <button type="button" @click=${this.#discard}>Discard</button>${this.inline ? html`<button type="button" @click=${() => this.dispatchEvent(new Event("left"))}>Close</button>` : nothing}<span class="soft" role="status">${this.saved || "Ctrl+Enter sends"}</span></div>
      </form>`;
  }

  // blamed is the line that the server's refusal is about; empty: it is about none of them.
  get #blamed() { return this.problem?.status === 400 && ["to", "cc", "bcc", "subject", "text", "send_at"].includes(this.problem.body?.field) ? this.problem.body.field : ""; }

  #wrong(name) { return this.#blamed === name ? html`<small class="wrong" role="alert">${explained(this.problem)}</small>` : nothing; }

  #line(name, label, hint = "", required = false) {
    const wrong = this.#blamed === name;
    return html`<label class="field"><span>${label}</span><input name=${name} ?readonly=${this.sending} aria-invalid=${wrong ? "true" : nothing} .value=${bound(this.draft[name])} ?required=${required} placeholder=${hint}
      autocomplete="off" maxlength=${name === "subject" ? session.me?.limits.subject_chars ?? 998 : 8000} @input=${(e) => { this.copies ||= name.endsWith("cc"); this.#change({ [name]: e.target.value }); }}>${this.#wrong(name)}</label>`;
  }

  #used() {
    const { daily_send_limit: most, sends_today: used } = this.record;
    if (!most) return "free";
    return used >= most ? "over" : used > most * 0.8 ? "near" : "free";
  }

  // limit shows how much of the day's limit is used.
  #limit() {
    const { daily_send_limit: most, sends_today: used } = this.record;
    if (!most) return html`<span class="soft">${plural(used, "message")} sent today, no limit</span>`;
    return html`<label class="meter ${this.#used()}"><span>${used} of ${most} sent today</span><meter min="0" max=${most} high=${most * 0.8} .value=${used}></meter></label>`;
  }

  // html is the form that mail programs show, written as source beside a picture of it. Without it the text is sent alone.
  #html() {
    const d = this.draft;
    const make = () => this.#change({ html: designed(d.text) });
    return html`<details class="field" ?open=${Boolean(d.html)}><summary>HTML</summary>
      <div class="row"><button type="button" class="small" ?disabled=${!d.text.trim()} @click=${make}>Make it of the text</button>
        ${d.html ? html`<button type="button" class="small" aria-pressed=${Boolean(this.shown)} @click=${() => { this.shown = !this.shown; }}>Show how it looks</button>
          <button type="button" class="small" @click=${() => { this.shown = false; this.#change({ html: "" }); }}>Send the text alone</button>` : nothing}</div>
      ${this.shown && d.html ? html`<mk-mailframe .mail=${{ id: "draft", body_html: d.html, attachments: [], mailbox: this.mailbox }}></mk-mailframe>`
        : html`<textarea class="mono" rows="6" aria-label="HTML" spellcheck="false" ?readonly=${this.sending} .value=${bound(d.html)} @input=${(e) => this.#change({ html: e.target.value })}></textarea>`}</details>`;
  }

  #drag(e) {
    if (!e.dataTransfer?.types.includes("Files")) return;
    e.preventDefault();
    this.over = true;
  }

  #drop(e) {
    this.over = false;
    if (!e.dataTransfer?.files.length) return;
    e.preventDefault();
    this.#add([...e.dataTransfer.files]);
  }

  #paste(e) {
    if (!e.clipboardData?.files.length) return;
    e.preventDefault();
    this.#add([...e.clipboardData.files]);
  }

  #add(chosen) {
    const most = session.me?.limits.attachment_bytes ?? 100e6;
    for (const f of chosen.filter((f) => f.size > most)) say(`${clean(f.name)} is larger than ${bytesOf(most)}.`, "bad");
    this.missing = this.missing.filter((name) => !chosen.some((f) => f.name === name));
    this.#change({ files: [...this.draft.files, ...chosen.filter((f) => f.size <= most)] });
  }

  #files() {
    const d = this.draft;
    const add = (e) => {
      this.#add([...e.target.files]);
      e.target.value = "";
    };
    return html`<div class="field"><span>Files</span><div><ul class="attached">${(d.stored?.attachments ?? []).map((f) => html`<li>${icon("clip")}<bdi>${clean(f.filename)}</bdi> <span class="soft">${bytesOf(f.size_bytes)}</span>
        <button type="button" class="bare" aria-label="Remove ${clean(f.filename)}" @click=${() => this.#detach(f.n)}>${icon("close")}</button></li>`)}${d.files.map((f, i) => html`<li>${icon("clip")}<bdi>${clean(f.name)}</bdi> <span class="soft">${bytesOf(f.size)}</span>
        <button type="button" class="bare" aria-label="Remove ${clean(f.name)}" @click=${() => this.#change({ files: d.files.filter((_, at) => at !== i) })}>${icon("close")}</button></li>`)}</ul>
      ${this.missing.length ? html`<p class="note warn" role="alert">Deleted with the draft, and not attached any more: <bdi>${clean(this.missing.join(", "))}</bdi>. Add what you want to send.</p>` : nothing}
      <label class="button small">${icon("clip")}Add files<input class="offscreen" type="file" multiple @change=${add}></label> <span class="soft">or drop them here</span></div></div>`;
  }

  async #discard() {
    clearTimeout(this.soon);
    await this.storing;
    const stored = this.draft.stored;
    const remove = () => this.#own("DELETE", `drafts/${stored.id}`, { query: { version: stored.version } }).catch((failure) => { if (failure.status !== 404 && failure.code !== "draft_sent") throw failure; });
    if (stored && !await this.act(remove, this.problem?.code === "draft_sent" ? "" : "The draft is gone.")) return;
    this.#forget();
    this.draft = blank();
    if (this.inline) this.dispatchEvent(new Event("left"));
    else back("inbox");
  }
}
customElements.define("mk-compose", Compose);
