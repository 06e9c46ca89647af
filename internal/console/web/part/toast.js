// Short messages at the edge, which a screen reader says too.

import { LitElement, html } from "../vendor/lit.js";

class Toasts extends LitElement {
  static properties = { list: { state: true } };

  constructor() {
    super();
    this.list = [];
  }

  createRenderRoot() { return this; }

  add(text, kind) {
    const toast = { text, kind };
    this.list = [...this.list.slice(-2), toast];
    setTimeout(() => { this.list = this.list.filter((t) => t !== toast); }, kind === "bad" ? 9000 : 4000);
  }

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">
      ${this.list.map((t) => html`<p class="toast ${t.kind}">${t.text}</p>`)}</div>`;
  }
}
customElements.define("mk-toasts", Toasts);

export function say(text, kind = "plain") {
  document.querySelector("mk-toasts")?.add(text, kind);
}

// whisper is for screen readers alone.
export function whisper(text) {
  const to = document.querySelector("#whisper");
  if (to) to.textContent = text;
}
