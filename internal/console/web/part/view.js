// What every page is made of: its states, and small pieces that many have.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { clean, statusKind } from "../app/format.js";
import { session } from "../app/session.js";
import { moderate, ask } from "../app/api.js";
import { live } from "../app/live.js";
import { icon } from "./icon.js";
import { say } from "./toast.js";

// View is an element without a shadow: one style sheet for all.
export class View extends LitElement {
  createRenderRoot() { return this; }
}

// Page is a view that shows what it has loaded.
export class Page extends View {
  static properties = { ready: { state: true }, failure: { state: true }, busy: { state: true } };
  #turn = 0;

  constructor() {
    super();
    this.ready = false;
    this.failure = null;
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#turn++;
  }

  // fetch is what a page loads; the page says.
  async fetch() {}

  async load() {
    const turn = ++this.#turn;
    this.failure = null;
    try {
      await this.fetch();
      if (turn === this.#turn) this.ready = true;
    } catch (e) {
      if (turn !== this.#turn || e.name === "AbortError") return;
      this.failure = e;
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

export function loading() {
  return html`<div class="state" role="status"><span class="spinner" aria-hidden="true"></span>Loading</div>`;
}

export function empty(title, text, action = nothing) {
  return html`<div class="state empty"><strong>${title}</strong><p>${text}</p>${action}</div>`;
}

export function problem(failure, again) {
  if (failure.paused) return html`<mk-paused></mk-paused>`;
  return html`<div class="state problem" role="alert"><strong>This did not work</strong>
    <p>${failure.message}</p>
    ${failure.body?.request_id ? html`<p class="soft">The server's log has more about request ${failure.body.request_id}.</p>` : nothing}
    <button @click=${again}>Try again</button></div>`;
}

export function badge(status, text = status) {
  return html`<span class="badge ${statusKind(status)}">${clean((text ?? "").replaceAll("_", " "))}</span>`;
}

// heading is the top of a page: what it is, and what can be done.
export function heading(title, text, actions = nothing) {
  return html`<header class="head"><div><h1 tabindex="-1">${title}</h1>${text ? html`<p class="soft">${text}</p>` : nothing}</div>
    <div class="row">${actions}</div></header>`;
}

// Paused stands in place of a page of a mailbox that is paused.
class Paused extends Page {
  static properties = { record: { state: true } };

  async fetch() {
    // The key of a paused mailbox is answered nothing, so its owner sees no reason either.
    this.record = session.operator ? await moderate("GET", session.mailbox) : null;
  }

  content() {
    const r = this.record;
    return html`<div class="state"><strong>This mailbox is paused</strong>
      <p>Mail for it is put off, not refused: it arrives if the mailbox is resumed in time. Its keys are good for nothing else meanwhile.</p>
      ${r?.reason ? html`<p>Reason: ${clean(r.reason)}</p>` : nothing}
      <button class="primary" ?disabled=${this.busy} @click=${this.#resume}>${icon("inbox")}Resume</button></div>`;
  }

  async #resume() {
    const resume = () => (session.operator ? moderate("PATCH", session.mailbox, "/resume") : ask("PATCH", "mailbox/resume"));
    if (!await this.act(resume, "The mailbox is active again.")) return;
    live.again();
    this.dispatchEvent(new CustomEvent("again", { bubbles: true }));
  }
}
customElements.define("mk-paused", Paused);
