// What a model is given of a message: the answer of the MCP tool get_email, and how much of its room that takes.

import { html } from "../vendor/lit.js";
import { send } from "../app/api.js";
import { clean, cleanText, count } from "../app/format.js";
import { session } from "../app/session.js";
import { Page, empty } from "../part/view.js";

class Agent extends Page {
  static properties = { mail: { attribute: false }, answer: { state: true } };

  async fetch() {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_email", arguments: { email_id: this.mail.id } } };
    const response = await send("POST", "../mcp", { query: session.operator ? { mailbox: this.mail.mailbox } : {}, body: call, headers: { Accept: "application/json, text/event-stream" } });
    const body = await response.json();
    if (!body.result) throw new Error(body.error?.message ?? "The tool did not answer.");
    this.answer = body.result.content.map((c) => c.text ?? "").join("\n");
  }

  content() {
    if (!this.answer) return empty("Nothing", "The tool answers nothing about this message.");
    const codes = this.mail.code_candidates;
    return html`<div class="trust"><section><h3>Why this code</h3>
      ${codes.length ? html`<ul>${codes.map((c) => html`<li><code>${clean(c.code)}</code> ${(c.confidence * 100).toFixed(0)} %: ${clean(c.why.join(", "))}${c.code === this.mail.code ? html` <strong>chosen</strong>` : ""}</li>`)}</ul>` : html`<p class="soft">Nothing in it looks like a code.</p>`}</section>
      <section><h3>What a model reads</h3><p class="soft">The answer of <code>get_email</code>: ${count(this.answer.length)} characters, about ${count(Math.ceil(this.answer.length / 4))} tokens.</p>
        <pre class="text" dir="auto" tabindex="0" aria-label="Answer of the tool">${cleanText(pretty(this.answer))}</pre></section></div>`;
  }
}
customElements.define("mk-agent", Agent);

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
