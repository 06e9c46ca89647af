// Short messages at the edge, which a screen reader says too.

import { LitElement, html, nothing } from "../vendor/lit.js";

class Toasts extends LitElement {
  static properties = { list: { state: true } };

  constructor() {
    super();
    this.list = [];
  }

  createRenderRoot() { return this; }

  add(text, kind, action) {
    const toast = { text, kind, action };
    this.list = [...this.list.slice(-2), toast];
    setTimeout(() => this.#drop(toast), action ? action.seconds * 1000 : kind === "bad" ? 9000 : 4000);
  }

  drop(words) { this.list = this.list.filter((t) => t.action?.text !== words); }

  #drop(toast) { this.list = this.list.filter((t) => t !== toast); }

  #act(toast) {
    this.#drop(toast);
    toast.action.run();
  }

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">
      ${this.list.map((t) => html`<p class="toast ${t.kind}">${t.text}
        ${t.action ? html`<button class="small" @click=${() => this.#act(t)}>${t.action.text}</button>` : nothing}</p>`)}</div>`;
  }
}
customElements.define("mk-toasts", Toasts);

// say shows a message; with an action ({ text, run, seconds }) it stays so long and has a button.
export function say(text, kind = "plain", action = null) {
  document.querySelector("mk-toasts")?.add(text, kind, action);
}

// unsay takes a message away whose button has these words.
export function unsay(words) {
  document.querySelector("mk-toasts")?.drop(words);
}

// whisper is for screen readers alone.
export function whisper(text) {
  const to = document.querySelector("#whisper");
  if (to) to.textContent = text;
}
