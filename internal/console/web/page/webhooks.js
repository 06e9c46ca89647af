// Where events are posted, how that goes, and what was posted.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { ago, clean, moment, plural } from "../app/format.js";
import { to } from "../app/route.js";
import { Page, badge, empty, heading } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { copyButton } from "../part/copy.js";
import { question, showOnce } from "../part/dialog.js";
import { say } from "../part/toast.js";

class Webhooks extends Page {
  static properties = { record: { state: true }, routes: { state: true }, filter: { state: true }, trial: { state: true } };
  #sent = new Map(); // what was sent, of those that were opened: its request, or why it cannot be shown

  constructor() {
    super();
    this.filter = {};
  }

  async fetch() {
    const log = new Pager({ path: "webhook/deliveries", query: this.filter, member: "deliveries", changed: () => this.requestUpdate() });
    const [record, routes] = await Promise.all([own("GET", "mailbox"), own("GET", "mailbox/routes"), log.next(30)]);
    [this.record, this.routes, this.log] = [record, routes.routes, log];
    this.#sent.clear();
  }

  // look fetches what was sent when somebody opens it.
  async #look(d) {
    if (this.#sent.has(d.id)) return;
    try {
      this.#sent.set(d.id, (await own("GET", `webhook/deliveries/${d.id}`)).request);
    } catch (e) {
      this.#sent.set(d.id, { failure: e.message });
    }
    this.requestUpdate();
  }

  async #set() {
    const done = await question({ title: "Webhook of this mailbox", text: "Every event is posted there, signed.", action: "Save",
      fields: [{ name: "url", label: "URL", value: this.record.webhook_url ?? "", placeholder: "https://agent.example/mail", hint: "Leave it empty to have none." }],
      run: ({ url }) => own("PATCH", "mailbox", { body: { webhook_url: url.trim() || null } }) });
    if (done) this.load();
  }

  async #addRoute() {
    const done = await question({ title: "Webhook for a label", text: "Events of messages with this label are posted there, too.", action: "Save",
      fields: [{ name: "label", label: "Label", required: true, placeholder: "code" }, { name: "webhook_url", label: "URL", required: true, placeholder: "https://agent.example/codes" }],
      run: (body) => own("PUT", "mailbox/routes", { body }) });
    if (done) this.load();
  }

  async #dropRoute(label) {
    if (await this.act(() => own("DELETE", "mailbox/routes", { query: { label } }), "Removed.")) this.load();
  }

  async #test(url) {
    const t = await this.act(() => own("POST", "webhook/test", { body: url ? { url } : {} }));
    if (t) this.trial = t;
  }

  async #reset(url) {
    if (await this.act(() => own("POST", "webhook/reset", { body: url ? { url } : {} }), "Active again. New events are posted; older ones can be replayed.")) this.load();
  }

  async #secret() {
    const answer = await this.act(() => own("GET", "webhook/secret"));
    if (answer) showOnce("Secret of this mailbox", "Receivers verify the signature of events with it.", answer.secret);
  }

  async #replay(d) {
    const t = await this.act(() => own("POST", `webhook/deliveries/${d.id}/replay`, { body: {} }));
    if (!t) return;
    say(t.ok ? "It arrived." : `It did not arrive: ${clean(t.error)}`, t.ok ? "plain" : "bad");
    if (t.delivery) this.log.replace(t.delivery);
    this.#sent.delete(d.id);
    this.#look(d);
  }

  content() {
    const m = this.record;
    return html`${heading("Webhooks", "Events, pushed to a URL of yours as they happen.", html`<button @click=${this.#secret}>Show secret</button><button @click=${this.#addRoute}>Add for a label</button><button class="primary" @click=${this.#set}>${m.webhook_url ? "Change" : "Set"} webhook</button>`)}
      ${m.webhook_url || this.routes.length ? html`<ul class="rows card">
        ${m.webhook_url ? this.#target(m.webhook_url, "all events", m.webhook) : nothing}
        ${this.routes.map((r) => this.#target(r.webhook_url, `label ${r.label}`, r, r.label))}</ul>`
        : empty("No webhook", "Set one, and every event of this mailbox is posted there. Agents without a public address follow the event stream instead.")}
      ${this.trial ? this.#tried() : nothing}
      <div class="bar filters"><h2>What was posted</h2>
        <select aria-label="State" @change=${(e) => { this.filter = { ...this.filter, status: e.target.value }; this.load(); }}>
          ${[["", "Every state"], ["pending"], ["delivered"], ["failed"], ["held"]].map(([v, t = v]) => html`<option value=${v} ?selected=${v === (this.filter.status ?? "")}>${t}</option>`)}</select>
        <select aria-label="Event" @change=${(e) => { this.filter = { ...this.filter, event: e.target.value }; this.load(); }}>
          ${["", "message.received", "message.delivered", "message.bounced", "message.complained", "mailbox.sending_paused", "mailbox.quota", "recipient.unsubscribed"].map((v) => html`<option value=${v} ?selected=${v === (this.filter.event ?? "")}>${v || "Every event"}</option>`)}</select>
        <button class="small" @click=${() => this.load()}>Refresh</button></div>
      ${this.log.items.length ? html`<ul class="rows card">${this.log.items.map((d) => this.#delivery(d))}</ul>
        ${this.log.more ? html`<button @click=${() => this.log.next(30)}>Load more</button>` : nothing}` : html`<p class="soft">Nothing was posted${this.filter.status || this.filter.event ? " that fits" : " yet"}.</p>`}`;
  }

  #target(url, what, state, label = "") {
    return html`<li><div class="row">${badge(state.status)}<code class="url"><bdi>${clean(url)}</bdi></code><span class="soft">${what}</span><span class="gap"></span>
        ${state.status === "failed" ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.#reset(url)}>Reset</button>` : nothing}
        <button class="small" ?disabled=${this.busy} @click=${() => this.#test(url)}>Test</button>
        ${label ? html`<button class="small danger" @click=${() => this.#dropRoute(label)}>Remove</button>` : nothing}</div>
      ${state.consecutive_failures || state.last_error ? html`<p class="soft">${plural(state.consecutive_failures, "event")} failed one after the other. Last attempt ${ago(state.last_attempt_at)}: ${clean(state.last_error)}</p>`
        : html`<p class="soft">Last attempt ${ago(state.last_attempt_at)}</p>`}
      ${state.warning ? html`<p class="note warn">${clean(state.warning)}</p>` : nothing}</li>`;
  }

  #tried() {
    const t = this.trial;
    return html`<p class="note ${t.ok ? "good" : "bad"}" role="status">Test to ${clean(t.url)}: ${t.ok ? `it arrived, status ${t.status}` : clean(t.error)} in ${t.duration_ms.toFixed(0)} ms.</p>`;
  }

  #delivery(d) {
    return html`<li><details @toggle=${(e) => e.target.open && this.#look(d)}><summary class="row">${badge(d.status)}<strong>${clean(d.event)}</strong><code class="url"><bdi>${clean(d.url)}</bdi></code><span class="soft">${moment(d.created_at)} · ${plural(d.attempts.length, "attempt")}</span></summary>
      <div class="exchange"><section><h3>Request</h3>${request(d, this.#sent.get(d.id))}
          <p class="soft">The event of ${d.email_id ? html`<a href=${to(d.event === "message.received" ? "inbox" : "outbox", d.email_id)}>this message</a>` : "this mailbox"}. The body and webhook-id are the same at every attempt, unless the message is deleted; time and signature are of the latest.</p></section>
        <section><h3>Response</h3><ol class="timeline">${d.attempts.map((a) => html`<li class=${a.error ? "bad" : "done"}><time>${moment(a.time)}</time><div><strong>${a.status ?? "no answer"}</strong>${a.replay ? html` <span class="badge plain">replay</span>` : nothing}
          <span class="soft">${a.duration_ms.toFixed(0)} ms</span>${a.error ? html`<p>${clean(a.error)}</p>` : nothing}${a.response ? html`<pre tabindex="0" aria-label="Body of the response">${a.response}</pre>` : nothing}</div></li>`)}</ol>
          ${d.next_attempt_at ? html`<p class="soft">Next attempt ${moment(d.next_attempt_at)}</p>` : nothing}
          <button class="small" ?disabled=${this.busy} @click=${() => this.#replay(d)}>Replay now</button></section></div></details></li>`;
  }
}
customElements.define("mk-webhooks", Webhooks);

// request is what was sent: its headers and its body.
function request(d, sent) {
  if (!sent) return html`<p class="soft" role="status"><span class="spinner" aria-hidden="true"></span>Loading</p>`;
  if (sent.failure) return html`<p class="note bad">${sent.failure}</p>`;
  const headers = Object.entries(sent.headers).map(([name, value]) => `${clean(name)}: ${clean(value)}\n`).sort((a, b) => a.localeCompare(b));
  return html`<pre tabindex="0" aria-label="Request">${sent.method} ${clean(d.url)}\n${headers.length ? headers.join("") : "(not sent yet)"}</pre>
    <pre tabindex="0" aria-label="Body of the request">${indented(sent.body)}</pre>
    <div class="row">${copyButton(sent.body, "Body", "Body")}${copyButton(d.webhook_id, "Webhook id", "Webhook id")}</div>`;
}

// indented is a body with a member a line.
function indented(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 1).split("\n").map(clean).join("\n");
  } catch {
    return clean(body);
  }
}
