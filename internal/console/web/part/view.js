// What every page is made of: its states, and small pieces that many have.

import { LitElement, html, live as bound, nothing } from "../vendor/lit.js";
import { clean, count, statusKind } from "../app/format.js";
import { session } from "../app/session.js";
import { moderate, ask, pages } from "../app/api.js";
import { live } from "../app/live.js";
import { to } from "../app/route.js";
import { icon } from "./icon.js";
import { say } from "./toast.js";

const soon = 3000; // milliseconds until a page is tried again that no stream tells when the server is back

// away tells whether a failure says that the server does not answer.
const away = (failure) => failure?.status === 0 || failure?.status >= 502;

// View is an element without a shadow: one style sheet for all.
export class View extends LitElement {
  createRenderRoot() { return this; }
}

// Page is a view that shows what it has loaded.
export class Page extends View {
  static properties = { ready: { state: true }, failure: { state: true }, busy: { state: true } };
  #turn = 0;
  #later = 0;

  constructor() {
    super();
    this.ready = false;
    this.failure = null;
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("state", this.#back);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("state", this.#back);
    clearTimeout(this.#later);
    this.#turn++;
  }

  // back loads what could not be loaded while the server was away.
  #back = () => { if (live.state === "on" && away(this.failure)) this.load(); };

  // fetch is what a page loads; the page says. It is given a function that tells whether
  // its answer is still wanted: another one may be asked for meanwhile.
  async fetch() {}

  // load shows what is there now. Asked by nobody, it leaves the page as it is until there is something to show.
  async load({ quiet = false } = {}) {
    const turn = ++this.#turn;
    clearTimeout(this.#later);
    if (!quiet) this.failure = null;
    try {
      await this.fetch(() => turn === this.#turn);
      if (turn !== this.#turn) return;
      this.failure = null;
      this.ready = true;
    } catch (e) {
      if (turn !== this.#turn || e.name === "AbortError") return;
      this.failure = e;
      if (away(e) && !live.following) this.#later = setTimeout(() => this.load({ quiet: true }), soon); // no stream tells
    }
  }

  // act does something a person asked for, once at a time, and says how it went.
  async act(work, done) {
    if (this.busy) return undefined;
    this.busy = true;
    try {
      const result = await work();
      if (done) say(done);
      return result ?? true;
    } catch (e) {
      say(e.message, "bad");
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  render() {
    if (this.failure) return problem(this.failure, () => this.load());
    if (!this.ready) return loading();
    return this.content();
  }
}

// latest is as far as a time can be chosen: the browser would take years of six digits.
export const latest = "9999-12-31T23:59";

// options are those of a select, [value, words]. What a person chose gives way to what is chosen by now, as after Back.
export function options(list, chosen) {
  return list.map(([value, words = value]) => html`<option value=${value} .selected=${bound(value === chosen)}>${words}</option>`);
}

export function loading() {
  return html`<div class="state" role="status"><span class="spinner" aria-hidden="true"></span>Loading</div>`;
}

export function empty(title, text, action = nothing) {
  return html`<div class="state empty"><strong>${title}</strong><p>${text}</p>${action}</div>`;
}

export function problem(failure, retry) {
  if (failure.paused) return html`<mk-paused .failure_=${failure}></mk-paused>`;
  const title = away(failure) ? "The server does not answer" : failure.status === 404 ? "It is not here" : failure.status === 403 ? "This key may not see it" : "The page could not be loaded";
  return html`<div class="state problem" role="alert"><strong>${title}</strong>
    <p>${failure.message}${away(failure) ? " The page loads by itself when the server is back." : ""}</p>
    ${failure.body?.request_id ? html`<p class="soft">The server's log has more about request ${failure.body.request_id}.</p>` : nothing}
    <div class="row"><button @click=${retry}>Try again</button>${failure.status === 404 && session.operator ? html`<a class="button" href=${to("mailboxes")}>Mailboxes</a>` : nothing}</div></div>`;
}

export function badge(status, text = status) {
  return html`<span class="badge ${statusKind(status)}">${clean((text ?? "").replaceAll("_", " "))}</span>`;
}

// heading is the top of a page: what it is, and what can be done.
export function heading(title, text, actions = nothing) {
  return html`<header class="head"><div><h1 tabindex="-1">${title}</h1>${text ? html`<p class="soft">${text}</p>` : nothing}</div>
    <div class="row">${actions}</div></header>`;
}

// listed is a mailbox as the list of all has it, which says how much mail it holds.
async function listed(mailbox) {
  for await (const { mailboxes } of pages("mailboxes", { query: mailbox }, ask)) {
    const found = mailboxes.find((m) => m.mailbox === mailbox);
    if (found) return found;
  }
  return undefined;
}

// Paused stands in place of a page of a mailbox that is paused.
class Paused extends Page {
  static properties = { record: { state: true }, failure_: { attribute: false } };

  async fetch() {
    this.record = session.operator ? await listed(session.mailbox) ?? await moderate("GET", session.mailbox) : { paused_by: this.failure_?.pausedBy ?? session.me.paused?.by, reason: this.failure_?.reason ?? session.me.paused?.reason };
  }

  content() {
    const r = this.record;
    return html`<div class="state"><strong>This mailbox is paused</strong>
      <p>${r.paused_by === "operator" ? "The operator of this service paused it." : "Its owner paused it."} ${r.reason ? html`Reason: <strong>${clean(r.reason)}</strong>` : "No reason was given."}</p>
      <p>Mail for it is put off, not refused: it arrives if the mailbox is resumed in time. Its keys are good for nothing else meanwhile.</p>
      ${r.holds ? html`<p class="soft">${count(r.holds.total_emails)} messages, ${count(r.holds.unseen)} not seen. They can be read again when it is resumed.</p>` : nothing}
      ${r.paused_by === "operator" && !session.operator ? html`<p>Only the operator can resume it.</p>`
        : session.operator && !session.moderates ? nothing : html`<button class="primary" ?disabled=${this.busy} @click=${this.#resume}>${icon("inbox")}Resume</button>`}</div>`;
  }

  async #resume() {
    const resume = () => (session.operator ? moderate("PATCH", session.mailbox, "/resume") : ask("PATCH", "mailbox/resume"));
    if (!await this.act(resume, "The mailbox is active again.")) return;
    live.again();
    this.dispatchEvent(new CustomEvent("again", { bubbles: true }));
  }
}
customElements.define("mk-paused", Paused);
