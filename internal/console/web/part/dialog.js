// Questions to a person, and keys that are shown once. There is one dialog, and it waits for an answer.

import { html, nothing } from "../vendor/lit.js";
import { View, latest, options } from "./view.js";
import { copyButton } from "./copy.js";

const pause = 1500; // milliseconds

class Dialog extends View {
  static properties = { question: { state: true }, failure: { state: true }, busy: { state: true }, typed: { state: true }, asked: { state: true } };

  constructor() {
    super();
    this.question = null;
  }

  // open asks, and returns what was answered; null: nothing. Enter says yes at once only to what can be undone.
  open(question) {
    this.question = question;
    this.failure = null;
    this.busy = false;
    this.typed = {};
    this.asked = false;
    return new Promise((answer) => {
      this.answer = answer;
      this.updateComplete.then(() => {
        const dialog = this.querySelector("dialog");
        if (!dialog.open) dialog.showModal();
        const answer = question.undone ? "button.primary" : ".end button"; // Cancel: a key that was meant for the page changes nothing
        (dialog.querySelector("input, textarea, select, .secret button") ?? dialog.querySelector(answer)).focus();
      });
    });
  }

  #close(value = null) {
    this.querySelector("dialog").close();
    this.question = null;
    this.answer?.(value);
    this.answer = null;
  }

  // leave closes without an answer. A secret that cannot be seen again is given up only when asked for twice,
  // with a pause between: who presses Escape several times has not read what is said.
  #leave() {
    const last = this.left;
    this.left = Date.now();
    if (!this.question?.secret || this.asked && this.left - last > pause) return this.#close();
    this.asked = true;
    const dialog = this.querySelector("dialog");
    if (!dialog.open) dialog.showModal();
    this.querySelector(".secret button").focus();
  }

  // A question is about the page that it was asked on: the browser's Back leaves both.
  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", () => { if (this.question && !this.busy) this.#leave(); });
  }

  async #submit(e) {
    e.preventDefault();
    if (this.question.secret) return this.querySelector(".secret button").click(); // Enter copies it
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
    return html`<dialog aria-labelledby="question" @cancel=${(e) => { if (e.cancelable) { e.preventDefault(); this.#leave(); } }} @close=${(e) => { if (this.question && !e.target.open) this.#leave(); }}>${q === null ? nothing : html`
      <form method="dialog" @submit=${this.#submit}>
        <h2 id="question">${q.title}</h2>
        ${q.text ? html`<p>${q.text}</p>` : nothing}
        ${q.secret ? html`<p class="secret"><code>${q.secret}</code>${copyButton(q.secret, q.secretName ?? "Key")}</p>` : nothing}
        ${(q.fields ?? []).map((f) => this.#field(f))}
        ${this.asked ? html`<p class="note warn" role="alert">It cannot be shown again. Copy it first; Escape closes this without it.</p>` : nothing}
        ${this.failure && !this.#blamed(q) ? html`<p class="note bad" role="alert">${this.failure.message}</p>` : nothing}
        <div class="row end">
          ${q.tell ? nothing : html`<button type="button" @click=${() => this.#close()}>Cancel</button>`}
          <button class="primary ${q.danger ? "danger" : ""}" type=${q.secret ? "button" : "submit"} @click=${() => { if (q.secret) this.#close(true); }}
            ?disabled=${this.busy || this.#held(q)}>${q.action ?? "OK"}</button>
        </div>
      </form>`}</dialog>`;
  }

  // blamed is the field that the server's refusal is about: the one that it names, or the only one.
  #blamed(q) {
    const fields = q.fields ?? [];
    if (!this.failure || this.failure.status !== 400) return undefined;
    return fields.find((f) => (f.of ?? f.name) === this.failure.body?.field) ?? (fields.length === 1 ? fields[0] : undefined);
  }

  #field(f) {
    const wrong = this.#blamed(this.question) === f;
    const input = (e) => {
      this.typed = { ...this.typed, [f.name]: e.target.value };
      this.failure = null; // it may be right now
    };
    return html`<label class="field"><span>${f.label}</span>
      ${f.options
        ? html`<select name=${f.name} @change=${input}>${options(f.options.map((o) => [o]), this.typed[f.name] ?? f.value ?? f.options[0])}</select>`
        : html`<input name=${f.name} type=${f.type ?? "text"} .value=${f.value ?? ""} placeholder=${f.placeholder ?? ""} max=${f.type === "datetime-local" ? latest : nothing}
            ?required=${f.required} autocomplete="off" spellcheck="false" autocapitalize="off" aria-invalid=${wrong ? "true" : nothing} @input=${input}>`}
      ${wrong ? html`<small class="wrong" role="alert">${this.failure.message}</small>` : nothing}
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
