// Where events are posted, how that goes, and what was posted.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { ago, clean, cleanText, longest, moment, plural, sought } from "../app/format.js";
import { live } from "../app/live.js";
import { settle, route, to } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge, empty, heading, options } from "../part/view.js";
import { Pager } from "../part/pager.js";
import { copyButton } from "../part/copy.js";
import { kinds } from "../part/event.js";
import { question, showOnce } from "../part/dialog.js";
import { say } from "../part/toast.js";

const typing = 250; // milliseconds without a letter after which the server is asked
const every = 3000; // milliseconds between two looks while it is live
const states = [["", "Every state"], ["pending"], ["delivered"], ["failed"], ["held"]];

class Webhooks extends Page {
  static properties = { record: { state: true }, routes: { state: true }, filter: { state: true }, trial: { state: true }, following: { state: true } };
  #sent = new Map(); // what was sent, of those that were opened: its request, or why it cannot be shown

  constructor() {
    super();
    this.filter = { status: route.params.get("status") ?? "", event: route.params.get("event") ?? "", query: route.params.get("query") ?? "" };
    this.following = true;
    this.onMail = () => this.#follow();
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener("mail", this.onMail);
    this.watch = setInterval(() => { if (this.log?.items.some((d) => d.status === "pending")) this.#follow(); }, every);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener("mail", this.onMail);
    clearInterval(this.watch);
    clearTimeout(this.soon);
    clearTimeout(this.typed);
  }

  async fetch(wanted) {
    const log = new Pager({ path: "webhook/deliveries", query: { ...this.filter }, member: "deliveries", changed: () => this.requestUpdate() });
    const [record, routes] = await Promise.all([own("GET", "mailbox"), session.manages ? own("GET", "mailbox/routes") : { routes: [] }, log.next(30)]);
    if (!wanted()) return;
    [this.record, this.routes, this.log] = [record, routes.routes, log];
    this.#sent.clear();
  }

  // follow fetches what is new, a moment later, so that a flood of events is one request.
  #follow() {
    if (!this.following || !this.ready || document.hidden) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.log.refresh().catch(() => {}), 300);
  }

  #choose(change) {
    this.filter = { ...this.filter, ...change };
    settle("webhooks", "", this.filter);
    this.load();
  }

  #seek(text) {
    clearTimeout(this.typed);
    this.typed = setTimeout(() => this.#choose({ query: sought(text) }), typing);
  }

  get #narrowed() { return this.filter.status || this.filter.event || this.filter.query; }

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

  async #clear() {
    const done = await question({ title: "Remove the webhook?", text: "No event is posted there from then on. What it missed can be replayed to another.", action: "Remove", danger: true,
      run: () => own("PATCH", "mailbox", { body: { webhook_url: null } }) });
    if (done) this.load();
  }

  async #addRoute() {
    const done = await question({ title: "Webhook for a label", text: "Events of messages with this label are posted there, too.", action: "Save",
      fields: [{ name: "label", label: "Label", required: true, placeholder: "code" }, { name: "webhook_url", label: "URL", required: true, placeholder: "https://agent.example/codes" }],
      run: (body) => own("PUT", "mailbox/routes", { body }) });
    if (done) this.load();
  }

  // endpoint asks for a webhook with events, a form and a secret of its own; r is one that is there.
  async #endpoint(r) {
    const known = Object.keys(kinds).join(", ");
    const made = await question({ title: r ? "Change the endpoint" : "Add an endpoint", text: r ? clean(r.webhook_url) : "One with chosen events and a secret of its own.", action: "Save",
      fields: [{ name: "webhook_url", label: "URL", required: !r, value: "", placeholder: r ? "Leave it empty to keep it" : "https://agent.example/hook" },
        { name: "events", label: "Events", value: (r?.events ?? []).join(", "), placeholder: "Every usual one", hint: `Names with commas between: ${known}` },
        { name: "form", label: "Form of the body", options: ["v1", "resend", "agentmail"], value: r?.form ?? "v1" }],
      run: ({ webhook_url, events, form }) => own("PUT", "mailbox/routes", { body: { ...(r ? { id: r.id } : {}), ...(webhook_url.trim() ? { webhook_url: webhook_url.trim() } : {}),
        events: events.split(/[\s,]+/).filter(Boolean), form } }) });
    if (!made) return;
    if (!r) await showOnce("Secret of the endpoint", "Its receiver verifies the signature of events with it.", made.secret);
    this.load();
  }

  async #removeRoute(r) {
    const done = await question({ title: "Remove this webhook?", text: clean(r.webhook_url), action: "Remove", danger: true,
      run: () => own("DELETE", "mailbox/routes", { query: r.id ? { id: r.id } : { label: r.label } }) });
    if (done) this.load();
  }

  async #disable(r, status) {
    if (await this.act(() => own("PUT", "mailbox/routes", { body: { id: r.id, status } }), status === "active" ? "It is active." : "It is off.")) this.load();
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

  async #rotate(r) {
    const made = await question({ title: "Rotate the secret?", text: "You get a new secret. For as long as you say, events are signed with both, so that receivers can be changed one by one.", action: "Rotate",
      fields: [{ name: "hours", label: "Signed with both for", value: "24", type: "number", required: true, hint: "Hours; 0 ends the old secret at once", of: "overlap_seconds" }],
      run: ({ hours }) => own("POST", "webhook/secret/rotate", { body: { overlap_seconds: Math.round(Number(hours) * 3600), ...(r ? { route_id: r.id } : {}) } }) });
    if (made) showOnce("The new secret", made.previous_until ? `The old one signs, too, until ${moment(made.previous_until)}.` : "The old one does not sign any more.", made.secret);
  }

  async #replay(d) {
    const t = await this.act(() => own("POST", `webhook/deliveries/${d.id}/replay`, { body: {} }));
    if (!t) return;
    say(t.ok ? "It arrived." : `It did not arrive: ${clean(t.error)}`, t.ok ? "plain" : "bad");
    if (t.delivery) this.log.replace(t.delivery);
    this.#sent.delete(d.id);
    this.#look(d);
  }

  // replaySince has all posted again that did not arrive, however many requests that takes.
  async #replaySince() {
    const local = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000 - 864e5).toISOString().slice(0, 16);
    const done = await question({ title: "Replay what did not arrive", text: "All failed and held events since then are posted again, as new ones are. A webhook that was marked failed is left out: reset it first.", action: "Replay",
      fields: [{ name: "since", label: "Since", type: "datetime-local", required: true, value: local }],
      run: async ({ since }) => {
        const all = { queued: 0, skipped: 0, more: true };
        while (all.more) {
          const some = await own("POST", "webhook/replay", { body: { since: new Date(since).toISOString() } });
          [all.queued, all.skipped, all.more] = [all.queued + some.queued, some.skipped, some.more && some.queued > 0];
        }
        return all;
      } });
    if (!done) return;
    say(`${plural(done.queued, "event")} on the way again${done.skipped ? `; ${done.skipped} left out, because their webhook is not active` : ""}.`);
    this.load();
  }

  content() {
    const m = this.record;
    return html`${heading("Webhooks", "Events, pushed to URLs of yours as they happen.", !session.manages ? nothing : html`<button @click=${this.#secret}>Show secret</button><button @click=${() => this.#rotate()}>Rotate secret</button><button @click=${this.#addRoute}>Add for a label</button>
        <button @click=${() => this.#endpoint()}>Add an endpoint</button><button class="primary" @click=${this.#set}>${m.webhook_url ? "Change" : "Set"} webhook</button>`)}
      ${session.manages ? nothing : html`<p class="note plain">With the role ${session.role} this is the webhook of the mailbox and what was posted. Endpoints, and what posts say, are for the role admin.</p>`}
      ${m.webhook_url || this.routes.length ? html`<ul class="rows card" aria-label="Endpoints">
        ${m.webhook_url ? this.#target({ ...m.webhook, webhook_url: m.webhook_url }, "all events", html`<button class="small danger" @click=${this.#clear}>Remove</button>`) : nothing}
        ${this.routes.map((r) => this.#target(r, [r.label && `label ${r.label}`, r.events?.length ? r.events.join(", ") : "all events", r.form && r.form !== "v1" && `form ${r.form}`].filter(Boolean).join(" · "), html`
          ${r.id ? html`<button class="small" @click=${() => this.#endpoint(r)}>Change</button><button class="small" @click=${() => this.#rotate(r)}>Rotate secret</button>
            <button class="small" ?disabled=${this.busy} @click=${() => this.#disable(r, r.status === "disabled" ? "active" : "disabled")}>${r.status === "disabled" ? "Turn on" : "Turn off"}</button>` : nothing}
          <button class="small danger" @click=${() => this.#removeRoute(r)}>Remove</button>`))}</ul>`
        : empty("No webhook", session.manages ? "Set one, and every event of this mailbox is posted there. Agents without a public address follow the event stream instead." : "This mailbox has none of its own.")}
      ${this.trial ? this.#tried() : nothing}
      <div class="bar filters"><h2>What was posted</h2>
        ${select("State", states, this.filter.status, (status) => this.#choose({ status }))}
        ${select("Event", [["", "Every event"], ...Object.keys(kinds).filter((k) => k !== "message.sent").map((k) => [k, k])], this.filter.event, (event) => this.#choose({ event }))}
        <input type="search" aria-label="Find in what was posted" placeholder="Find" maxlength=${longest} value=${this.filter.query} @input=${(e) => this.#seek(e.target.value)}>
        <button class="small" aria-pressed=${this.following} @click=${() => { this.following = !this.following; if (this.following) this.load(); }}>Live</button>
        ${session.manages ? html`<button class="small" @click=${this.#replaySince}>Replay since…</button>` : nothing}</div>
      ${this.log.items.length ? html`<ul class="rows card posted" aria-label="What was posted">${this.log.items.map((d) => this.#delivery(d))}</ul>
        ${this.log.more ? html`<button ?disabled=${this.busy} @click=${() => this.act(() => this.log.next(30))}>Load more</button>` : html`<p class="soft">${plural(this.log.items.length, "event")}${this.#narrowed ? " that fit" : ""}.</p>`}` : html`<p class="soft">${this.log.more ? "Nothing so far." : `Nothing was posted${this.#narrowed ? " that fits" : " yet"}.`}</p>${this.log.more ? html`<button ?disabled=${this.busy} @click=${() => this.act(() => this.log.next(30))}>Look further</button>` : nothing}`}`;
  }

  #target(state, what, more) {
    const url = state.webhook_url;
    return html`<li><div class="row">${badge(state.status)}<code class="url"><bdi>${clean(url)}</bdi></code><span class="soft">${clean(what)}</span><span class="gap"></span>
        ${!session.manages ? nothing : html`${state.status === "failed" ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.#reset(url)}>Reset</button>` : nothing}
        <button class="small" ?disabled=${this.busy} @click=${() => this.#test(url)}>Test</button>${more}`}</div>
      ${state.consecutive_failures || state.last_error ? html`<p class="soft">${plural(state.consecutive_failures, "event")} failed one after the other. Last attempt ${ago(state.last_attempt_at)}: ${clean(state.last_error)}</p>`
        : html`<p class="soft">Last attempt ${ago(state.last_attempt_at)}</p>`}
      ${state.warning ? html`<p class="note warn">${clean(state.warning)}</p>` : nothing}</li>`;
  }

  #tried() {
    const t = this.trial;
    return html`<p class="note ${t.ok ? "good" : "bad"}" role="status">Test to ${clean(t.url)}: ${t.ok ? `it arrived, status ${t.status}` : clean(t.error)} in ${t.duration_ms.toFixed(0)} ms.</p>`;
  }

  #delivery(d) {
    const last = d.attempts.at(-1);
    return html`<li><details @toggle=${(e) => e.target.open && this.#look(d)}><summary class="row"><span class="status ${last && !last.error ? "good" : last ? "bad" : ""}" title="Status of the last answer">${last ? last.status ?? "none" : "–"}</span>${badge(d.status)}
        <strong>${clean(d.event)}</strong><code class="url"><bdi>${clean(d.url)}</bdi></code><span class="soft">${moment(d.created_at)} · ${plural(d.attempts.length, "attempt")}${last ? ` · ${last.duration_ms.toFixed(0)} ms` : ""}</span></summary>
      <div class="exchange"><section><h3>Request</h3>${request(d, this.#sent.get(d.id))}
          <p class="soft">The event of ${d.email_id ? html`<a href=${to(d.event === "message.received" ? "inbox" : "outbox", d.email_id)}>this message</a>` : "this mailbox"}. The body and webhook-id are the same at every attempt, unless the message is deleted; time and signature are of the latest.</p></section>
        <section><h3>Response</h3><ol class="timeline">${d.attempts.map((a) => html`<li class=${a.error ? "bad" : "done"}><time>${moment(a.time)}</time><div><strong>${a.status ?? "no answer"}</strong>${a.replay ? html` <span class="badge plain">replay</span>` : nothing}
          <span class="soft">${a.duration_ms.toFixed(0)} ms</span>${a.error ? html`<p>${clean(a.error)}</p>` : nothing}${a.response ? html`<pre tabindex="0" aria-label="Body of the response">${cleanText(a.response)}</pre>` : nothing}</div></li>`)}</ol>
          ${d.next_attempt_at ? html`<p class="soft">Next attempt ${moment(d.next_attempt_at)}</p>` : nothing}
          ${session.manages ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.#replay(d)}>Replay now</button>` : nothing}</section></div></details></li>`;
  }
}
customElements.define("mk-webhooks", Webhooks);

function select(label, list, chosen, change) {
  return html`<select aria-label=${label} @change=${(e) => change(e.target.value)}>${options(list, chosen)}</select>`;
}

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
