// Questions to a person, and keys that are shown once. There is one dialog, and it waits for an answer.

import { html, nothing } from "../vendor/lit.js";
import { View } from "./view.js";
import { copyButton } from "./copy.js";

class Dialog extends View {
  static properties = { question: { state: true }, failure: { state: true }, busy: { state: true }, typed: { state: true } };

  constructor() {
    super();
    this.question = null;
  }

  // open asks, and returns what was answered; null: nothing.
  open(question) {
    this.question = question;
    this.failure = null;
    this.busy = false;
    this.typed = {};
    return new Promise((answer) => {
      this.answer = answer;
      this.updateComplete.then(() => {
        const dialog = this.querySelector("dialog");
        if (!dialog.open) dialog.showModal();
        dialog.querySelector("input, textarea, select, button.primary")?.focus();
      });
    });
  }

  #close(value = null) {
    this.querySelector("dialog").close();
    this.question = null;
    this.answer?.(value);
    this.answer = null;
  }

  async #submit(e) {
    e.preventDefault();
    const values = Object.fromEntries(new FormData(e.target));
    if (!this.question.run) return this.#close(values);
    this.busy = true;
    this.failure = null;
    try {
      const result = await this.question.run(values);
      this.#close(result ?? true);
    } catch (failure) {
      this.failure = failure;
    } finally {
      this.busy = false;
    }
  }

  // held tells whether something must still be typed to be sure.
  #held(q) {
    return (q.fields ?? []).some((f) => f.expect !== undefined && (this.typed[f.name] ?? "").trim() !== f.expect);
  }

  render() {
    const q = this.question;
    return html`<dialog aria-labelledby="question" @cancel=${(e) => { e.preventDefault(); this.#close(); }}>${q === null ? nothing : html`
      <form method="dialog" @submit=${this.#submit}>
        <h2 id="question">${q.title}</h2>
        ${q.text ? html`<p>${q.text}</p>` : nothing}
        ${q.secret ? html`<p class="secret"><code>${q.secret}</code>${copyButton(q.secret, q.secretName ?? "Key")}</p>` : nothing}
        ${(q.fields ?? []).map((f) => this.#field(f))}
        ${this.failure ? html`<p class="note bad" role="alert">${this.failure.message}</p>` : nothing}
        <div class="row end">
          ${q.tell ? nothing : html`<button type="button" @click=${() => this.#close()}>Cancel</button>`}
          <button class="primary ${q.danger ? "danger" : ""}" ?disabled=${this.busy || this.#held(q)}>${q.action ?? "OK"}</button>
        </div>
      </form>`}</dialog>`;
  }

  #field(f) {
    const input = (e) => { this.typed = { ...this.typed, [f.name]: e.target.value }; };
    return html`<label class="field"><span>${f.label}</span>
      ${f.options
        ? html`<select name=${f.name}>${f.options.map((o) => html`<option ?selected=${o === f.value}>${o}</option>`)}</select>`
        : html`<input name=${f.name} type=${f.type ?? "text"} .value=${f.value ?? ""} placeholder=${f.placeholder ?? ""}
            ?required=${f.required} autocomplete="off" spellcheck="false" autocapitalize="off" @input=${input}>`}
      ${f.hint ? html`<small>${f.hint}</small>` : nothing}</label>`;
  }
}
customElements.define("mk-dialog", Dialog);

// question asks a person; run does what was asked for and may fail, and then the dialog stays and says why.
export function question(q) {
  return document.querySelector("mk-dialog").open(q);
}

// showOnce shows a key that cannot be seen again.
export function showOnce(title, text, secret) {
  return question({ title, text, secret, tell: true, action: "I have stored it" });
}
