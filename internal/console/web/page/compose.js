// Writing a message, an answer, or sending one on. What is typed is kept in this tab at once and saved as a draft on the
// server a moment later, so that neither a reload nor a key that ends loses it.

import { html, live as bound, nothing } from "../vendor/lit.js";
import { ask, own } from "../app/api.js";
import { bytesOf, clean, person, plural, subject } from "../app/format.js";
import { go, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, heading } from "../part/view.js";
import { icon } from "../part/icon.js";
import { say } from "../part/toast.js";

const pause = 1500; // after the last key, in milliseconds, until a draft is saved
const written = ["to", "cc", "bcc", "subject", "text", "from", "later"]; // what a person writes
const blank = () => ({ ...Object.fromEntries(written.map((name) => [name, ""])), files: [], stored: null, token: crypto.getRandomValues(new Uint32Array(4)).join("-") });

const storing = new Map(); // what is being saved after its page was left, by its slot

class Compose extends Page {
  static properties = { params: { attribute: false }, record: { state: true }, mail: { state: true }, draft: { state: true }, problem: { state: true }, saved: { state: true } };

  constructor() {
    super();
    this.mailbox = session.mailbox; // also after another one is looked at
  }

  get #kind() {
    const s = this.draft?.stored;
    if (s) return s.reply ? (s.all ? "all" : "reply") : s.forward ? "forward" : "new";
    return ["reply", "all", "forward"].find((k) => this.params.get(k)) ?? "new";
  }
  get #answered() { return (this.draft?.stored ? this.draft.stored.email_id : this.params.get(this.#kind)) ?? ""; }
  get #slot() { return `mailkin.draft ${this.mailbox} ${this.draft?.stored?.id ?? `${this.#kind} ${this.#answered}`}`; }

  #own(method, path, options = {}) { return own(method, path, { ...options, query: session.operator ? { mailbox: this.mailbox, ...options.query } : options.query }); }

  willUpdate(changed) {
    if (!changed.has("params") || changed.get("params")?.toString() === this.params.toString()) return;
    if (this.draft?.stored && String(this.draft.stored.id) === this.params.get("draft")) return; // it was saved meanwhile
    this.#flush();
    this.draft = null;
    this.begun = this.params.get("draft") ? "" : this.#slot; // where it began, before it was a draft of the server
    this.draft = { ...blank(), ...(this.begun && this.#copy()) };
    this.problem = this.focused = null;
    this.saved = "";
    if (changed.get("params")) this.load();
  }

  updated() {
    const field = this.ready && !this.focused && this.querySelector("form.compose")?.querySelector("input[name=to]:placeholder-shown, textarea");
    if (!field) return;
    this.focused = true;
    field.focus();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#flush();
  }

  async fetch() {
    await this.updateComplete; // willUpdate says what was begun
    await storing.get(this.begun);
    const begun = !this.params.get("draft") && this.#copy()?.draft; // it was saved when the page was left
    const id = begun || this.params.get("draft");
    if (id && String(this.draft?.stored?.id) !== id) {
      const stored = await this.#own("GET", `drafts/${id}`).catch((failure) => { if (!begun || failure.status !== 404) throw failure; return null; });
      if (!stored) return this.#another(); // somebody sent it, or threw it away
      this.draft = fromStored(stored, this.draft ?? blank());
      const copy = this.#copy();
      if (copy?.version === stored.version) this.#change(copy); // typed after it was saved
      if (begun) settle("compose", "", { draft: id });
    }
    // What a draft answers may be deleted: it can be read all the same.
    const gone = (failure) => { if (!id || failure.status !== 404) throw failure; return null; };
    const wanted = this.#answered ? this.#own("GET", "email", { query: { id: this.#answered } }).catch(gone) : null;
    [this.record, this.mail] = await Promise.all([this.#own("GET", "mailbox"), wanted]);
  }

  // copy is what this tab has kept of the draft; null: nothing.
  #copy() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#slot));
    } catch {
      return null;
    }
  }

  #change(change) {
    this.draft = { ...this.draft, ...change };
    const copy = Object.fromEntries(written.map((name) => [name, this.draft[name]]));
    try {
      sessionStorage.setItem(this.#slot, JSON.stringify({ ...copy, version: this.draft.stored?.version }));
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
    if (this.busy) { this.soon = setTimeout(() => this.#quietly(), pause); return; }
    try {
      await this.#store();
      this.saved = "Saved as a draft.";
    } catch (failure) {
      if (failure.status === 409) this.problem = failure;
      this.saved = "Kept in this tab, not saved on the server yet.";
    }
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
    this.params.get("draft") ? go("compose") : this.load();
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
    this.busy = true;
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
      say(waits ? "It is about to leave." : sentWord(answer), "plain", waits ? { text: "Undo", seconds: await undoSeconds(), run: undo(answer.id) } : null);
      go("outbox", answer.id);
    } catch (failure) {
      this.problem = failure;
      if (failure.code === "automated_message") this.#change({ anyway: true }); // the person decides
    } finally {
      this.busy = false;
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
    const d = this.draft, kind = this.#kind, slot = this.#slot;
    const body = { from: d.from || null, send_at: d.later ? new Date(d.later).toISOString() : null, text: d.text };
    for (const name of ["to", "cc", "bcc"]) body[name] = addresses(d[name]);
    if (kind === "new") body.subject = d.subject;
    if (d.anyway) body.force = true;
    if (!d.stored && kind !== "new") Object.assign(body, { email_id: this.#answered, reply: kind !== "forward", forward: kind === "forward", all: kind === "all" });
    let stored = await (d.stored ? this.#own("PATCH", `drafts/${d.stored.id}`, { body: { ...body, version: d.stored.version } }) : this.#own("POST", "drafts", { body }));
    this.#keep(stored, d, slot);
    for (const file of d.files) { // one by one: what was attached need not be sent again
      stored = await this.#own("POST", `drafts/${stored.id}/attachments`, { body: await encode(file) });
      this.#keep(stored, d, slot);
      this.draft = { ...this.draft, files: this.draft.files.filter((f) => f !== file) };
    }
    if (this.isConnected && this.params.get("draft") !== String(stored.id)) settle("compose", "", { draft: stored.id });
  }

  // keep notes what the server has. What was typed since the request began stays, and is saved next.
  #keep(stored, sent, slot) {
    this.draft = { ...this.draft, stored };
    if (!session.me) return; // signed out meanwhile: this tab keeps nothing
    sessionStorage.removeItem(slot);
    if (this.begun) sessionStorage.setItem(this.begun, JSON.stringify({ draft: String(stored.id) }));
    this.unsaved = written.some((name) => this.draft[name] !== sent[name]);
    if (this.unsaved && this.isConnected) this.#change({});
  }

  async #save() {
    await this.act(() => this.#store(), "The draft is saved.");
  }

  async #detach(n) {
    const { id } = this.draft.stored;
    const changed = await this.act(() => this.#own("DELETE", `drafts/${id}/attachments/${n}`));
    if (changed) this.draft = { ...this.draft, stored: changed };
  }

  async #body() {
    const d = this.draft;
    const body = { text: d.text, attachments: await Promise.all(d.files.map(encode)) };
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
    return ["send", { ...body, subject: d.subject }];
  }

  content() {
    const d = this.draft;
    const kind = this.#kind;
    const title = { new: "Compose", reply: "Reply", all: "Reply to all", forward: "Forward" }[kind];
    const answers = kind === "reply" || kind === "all";
    return html`${heading(title, nothing, html`${d.stored && kind === "new" ? html`<button type="button" class="small" @click=${this.#another}>Another message</button>` : nothing}${this.#limit()}`)}
      <form class="compose" @submit=${this.#send}>
        ${this.mail ? html`<p class="note plain">${answers ? "Answers" : "Sends on"} <strong><bdi>${subject(this.mail.subject)}</bdi></strong> from <bdi>${person("", this.mail.from_address)}</bdi>${kind === "forward" && this.mail.attachments.length ? `, with ${plural(this.mail.attachments.length, "attachment")}` : ""}.</p>` : nothing}
        ${this.record.aliases.length ? html`<label class="field"><span>From</span><select @change=${(e) => this.#change({ from: e.target.value })}>
          ${[this.record.mailbox, ...this.record.aliases].map((a) => html`<option ?selected=${a === d.from}>${a}</option>`)}</select></label>` : nothing}
        ${answers ? nothing : this.#line("to", "To", "Name <address>, several with commas", true)}
        ${this.#line("cc", "Cc")}${this.#line("bcc", "Bcc")}
        ${kind === "new" ? this.#line("subject", "Subject") : nothing}
        <label class="field"><span>Text</span><textarea rows="14" .value=${bound(d.text)} ?required=${kind !== "forward"} @input=${(e) => this.#change({ text: e.target.value })}
          @keydown=${(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) e.target.form.requestSubmit(); }}></textarea></label>
        ${this.#files()}
        <details class="field" ?open=${Boolean(d.later)}><summary>Send later</summary><label class="field"><span>At</span>
          <input type="datetime-local" .value=${bound(d.later)} @input=${(e) => this.#change({ later: e.target.value })}><small>Your time, up to 30 days ahead</small></label></details>
        ${this.problem ? html`<p class="note bad" role="alert">${explained(this.problem)}</p>` : nothing}
        <div class="row"><button class="primary" ?disabled=${this.busy || this.#used() === "over"}>${this.busy ? "Sending" : d.anyway ? "Send anyway" : d.later ? "Schedule" : "Send"}</button>
          <button type="button" ?disabled=${this.busy} @click=${this.#save}>Save draft</button>
          <button type="button" @click=${this.#discard}>Discard</button><span class="soft" role="status">${this.saved || "Ctrl+Enter sends"}</span></div>
      </form>`;
  }

  #line(name, label, hint = "", required = false) {
    return html`<label class="field"><span>${label}</span><input name=${name} .value=${bound(this.draft[name])} ?required=${required} placeholder=${hint}
      autocomplete="off" maxlength=${name === "subject" ? session.me?.limits.subject_chars ?? 998 : 8000} @input=${(e) => this.#change({ [name]: e.target.value })}></label>`;
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

  #files() {
    const d = this.draft;
    const most = session.me?.limits.attachment_bytes ?? 100e6;
    const add = (e) => {
      const chosen = [...e.target.files];
      for (const f of chosen.filter((f) => f.size > most)) say(`${clean(f.name)} is larger than ${bytesOf(most)}.`, "bad");
      this.#change({ files: [...d.files, ...chosen.filter((f) => f.size <= most)] });
      e.target.value = "";
    };
    return html`<div class="field"><span>Files</span><div><ul class="attached">${(d.stored?.attachments ?? []).map((f) => html`<li>${icon("clip")}<bdi>${clean(f.filename)}</bdi> <span class="soft">${bytesOf(f.size_bytes)}</span>
        <button type="button" class="bare" aria-label="Remove ${clean(f.filename)}" @click=${() => this.#detach(f.n)}>${icon("close")}</button></li>`)}${d.files.map((f, i) => html`<li>${icon("clip")}<bdi>${clean(f.name)}</bdi> <span class="soft">${bytesOf(f.size)}</span>
        <button type="button" class="bare" aria-label="Remove ${clean(f.name)}" @click=${() => this.#change({ files: d.files.filter((_, at) => at !== i) })}>${icon("close")}</button></li>`)}</ul>
      <label class="button small">${icon("clip")}Add files<input class="offscreen" type="file" multiple @change=${add}></label></div></div>`;
  }

  async #discard() {
    clearTimeout(this.soon);
    await this.storing;
    const stored = this.draft.stored;
    if (stored && !await this.act(() => this.#own("DELETE", `drafts/${stored.id}`, { query: { version: stored.version } }), "The draft is gone.")) return;
    this.#forget();
    this.draft = blank();
    history.length > 1 ? history.back() : go("inbox");
  }
}
customElements.define("mk-compose", Compose);

// fromStored is a draft of the server as the form has it, with the files that are not there yet.
function fromStored(d, form) {
  const local = d.send_at ? new Date(new Date(d.send_at) - new Date().getTimezoneOffset() * 60e3).toISOString().slice(0, 16) : "";
  return { ...form, to: d.to.join(", "), cc: d.cc.join(", "), bcc: d.bcc.join(", "), subject: d.subject, text: d.text ?? "", from: d.from, later: local, stored: d };
}

// addresses splits at commas that are not inside quotes or angle brackets.
export function addresses(text) {
  return (text.match(/(?:"[^"]*"|<[^>]*>|[^,;"<])+/g) ?? []).map((a) => a.trim()).filter(Boolean);
}

function encode(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done({ filename: file.name, content: reader.result.slice(reader.result.indexOf(",") + 1), content_type: file.type || undefined });
    reader.onerror = () => failed(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

// explained says what a person can do about a refusal, where the answer says what a program can.
function explained(failure) {
  if (failure.code !== "recipient_suppressed") return failure.message;
  return html`${failure.message.split(";")[0]}: mail to it bounced, or its owner complained. If it is right, take it off the <a href=${to("suppressions")}>suppressions</a> first.`;
}

// sentWord says what became of a message that was sent.
export function sentWord(answer) { return answer.status === "held" ? "It waits for a person's approval." : "Sent."; }

// undoSeconds is how long messages of the mailbox wait before they leave.
async function undoSeconds() {
  return (await own("GET", "mailbox").catch(() => null))?.undo_seconds || 4;
}

// undo calls a message back that has not left, of the mailbox that is looked at now.
function undo(id) {
  const mailbox = session.operator ? session.mailbox : "";
  return async () => {
    try {
      await ask("POST", "email/cancel", { query: { id, mailbox } });
      say("It was called back.");
      dispatchEvent(new CustomEvent("mk-canceled", { detail: id }));
    } catch (e) {
      say(e.message, "bad");
    }
  };
}
