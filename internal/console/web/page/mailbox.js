// One's own mailbox: what it is, how to keep it, pausing and deleting it.

import { html, nothing } from "../vendor/lit.js";
import { ask, bytes, own } from "../app/api.js";
import { bytesOf, clean, count, moment } from "../app/format.js";
import { session } from "../app/session.js";
import { Page, badge, heading } from "../part/view.js";
import { copyButton } from "../part/copy.js";
import { ask as askNotices, possible, wanted } from "../part/notify.js";
import { question } from "../part/dialog.js";
import { icon } from "../part/icon.js";
import { say } from "../part/toast.js";
import { addresses } from "./draft.js";
import { keep } from "./messagetabs.js";

const gains = ["It stays, with all its mail, until you delete it.", "It sends mail, and answers.", "Attachments and raw messages can be opened.",
  "Webhooks, domains of your own and labels can be set."];

const policies = { "leaves at once": "open", "is approved by a person first": "review_all", "is approved by a person when it is the first to an address": "review_new",
  "is approved by a person when an address is not on the list": "review_outside" };
const actions = { refused: "refuse", "kept in quarantine": "quarantine", "treated as the deployment says": null };
// used is how much of a limit is used; a limit of 0 is none.
function used(value, limit, text) {
  if (!limit) return `${text(value)}, no limit`;
  return html`${text(value)} of ${text(limit)} <meter min="0" max=${limit} low=${limit * 0.8} high=${limit * 0.95} optimum="0" .value=${value} aria-label="Used"></meter>`;
}

// kept is for how long messages are kept.
function kept(days) {
  const rules = [["received", days.inbound], ["sent", days.outbound]].filter(([, n]) => n).concat(Object.entries(days.labels));
  const text = rules.map(([what, n]) => `${clean(what)} ${n ? `${n} days` : "for ever"}`);
  return text.length ? text.join(", ") : "for ever";
}

class Mailbox extends Page {
  static properties = { record: { state: true }, claim: { state: true }, taking: { state: true } };

  async fetch() { this.record = await own("GET", "mailbox"); }

  async #pause() {
    const done = await question({ title: "Pause this mailbox?", text: "Its keys do nothing but resume it, and mail for it is put off until then.", action: "Pause",
      fields: [{ name: "reason", label: "Reason" }], run: ({ reason }) => own("PATCH", "mailbox/pause", { body: { reason } }) });
    if (done) this.load();
  }

  async #go() {
    if (await this.act(() => own("POST", "mailbox/resume-sending"), `${this.record.mailbox} may send.`)) this.load();
  }

  async #undo() {
    const done = await question({ title: "How long can messages be called back?", text: "Every message waits this long before it leaves.", action: "Set",
      fields: [{ name: "seconds", label: "Seconds, 0 to 300", type: "number", value: String(this.record.undo_seconds), required: true }],
      run: ({ seconds }) => own("PATCH", "mailbox", { body: { undo_seconds: Number(seconds) } }) });
    if (done) this.record = done;
  }

  async #policy() {
    const said = Object.keys(policies).find((p) => policies[p] === this.record.send_policy);
    const done = await question({ title: "What it sends", text: "A message that has to be approved waits on the page Reviews. What is scheduled already leaves at its time.", action: "Set",
      fields: [{ name: "policy", label: "A message", options: Object.keys(policies), value: said }], run: ({ policy }) => own("PATCH", "mailbox", { body: { send_policy: policies[policy] } }) });
    if (done) this.record = done;
  }

  async #reviewers() {
    const done = await question({ title: "Who is told by mail that messages wait?", text: "Each gets a link to decide with. Without any, those of the deployment are told.", action: "Set",
      fields: [{ name: "list", label: "Addresses", value: this.record.reviewers.join(", "), hint: "At most ten, with commas between them" }],
      run: ({ list }) => own("PATCH", "mailbox", { body: { reviewers: addresses(list) } }) });
    if (done) this.record = done;
  }

  async #action() {
    const done = await question({ title: "Mail that the lists do not let in", text: "It is refused while its sender is connected, or kept in quarantine until a person releases it.", action: "Set",
      fields: [{ name: "action", label: "It is", options: Object.keys(actions) }], run: ({ action }) => own("PATCH", "mailbox", { body: { receive_action: actions[action] } }) });
    if (done) this.record = done;
  }

  async #remove() {
    const address = this.record.mailbox;
    const done = await question({ title: `Delete ${address}?`, text: "The mailbox, its keys and all its mail are gone at once and for good.", action: "Delete for good", danger: true,
      fields: [{ name: "sure", label: "Type the address to be sure", expect: address }], run: () => own("DELETE", "mailbox") });
    if (done) session.end();
  }

  // #take saves all messages. The browser puts a large file on the disk while it comes in.
  async #take(format) {
    this.taking = true;
    try {
      keep(await (await bytes("export", { format })).blob(), `${this.record.mailbox}.${format}`);
    } catch (e) {
      say(e.message, "bad");
    } finally {
      this.taking = false;
    }
  }

  async #start() {
    const claim = await question({ title: "Claim this mailbox", text: "A person confirms it on a page within ten minutes. Then the agent gets a new key.", action: "Start",
      fields: [{ name: "name", label: "Name", placeholder: "keep the address as it is", hint: "Mail to the temporary address keeps arriving." }],
      run: ({ name }) => ask("POST", "claim/start", { body: name.trim() ? { name: name.trim() } : {} }) });
    if (claim) this.claim = claim;
  }

  async #notices() {
    const on = !wanted();
    if (on && !(await askNotices(true))) say("The browser does not allow notices from this page.", "bad");
    if (!on) await askNotices(false);
    this.requestUpdate();
  }

  content() {
    const m = this.record;
    const limits = session.me.limits;
    return html`${heading("Mailbox", nothing, session.may && !session.operator ? html`<button @click=${this.#pause}>Pause</button>` : nothing)}
      <dl class="facts card"><dt>Address</dt><dd class="mono"><bdi>${clean(m.mailbox)}</bdi> ${copyButton(m.mailbox, "Address")}</dd>
        ${m.aliases.length ? html`<dt>Also</dt><dd class="mono">${m.aliases.map((a) => clean(a)).join(", ")}</dd>` : nothing}
        <dt>Status</dt><dd>${badge(m.status)}</dd>
        ${m.sending_paused ? html`<dt>Sending</dt><dd><span class="badge bad">stopped</span> ${moment(m.sending_paused.at)}: ${clean(m.sending_paused.reason)}
          ${session.can("control") ? html`<button class="small" ?disabled=${this.busy} @click=${this.#go}>Resume sending</button>` : nothing}</dd>` : nothing}
        <dt>Brakes</dt><dd>${m.brakes ? "on" : "off"}</dd>
        <dt>Undo</dt><dd>${m.undo_seconds ? `messages wait for ${m.undo_seconds} s` : "off"} ${session.can("control") ? html`<button class="small" @click=${this.#undo}>Change undo</button>` : nothing}</dd>
        <dt>What it sends</dt><dd>${Object.keys(policies).find((p) => policies[p] === m.send_policy)}
          ${session.can("control") ? html`<button class="small" @click=${this.#policy}>Change policy</button>` : nothing}</dd>
        <dt>Reviewers</dt><dd><bdi>${clean(m.reviewers.join(", ")) || "those of the deployment"}</bdi>
          ${session.can("control") ? html`<button class="small" @click=${this.#reviewers}>Change reviewers</button>` : nothing}</dd>
        <dt>Mail not let in</dt><dd>${m.receive_action === "quarantine" ? "kept in quarantine" : "refused"}
          ${session.can("control") ? html`<button class="small" @click=${this.#action}>Change what is done</button>` : nothing}</dd>
        ${possible() ? html`<dt>Notices here</dt><dd>${wanted() ? "this tab tells of new mail" : "off"} <button class="small" @click=${this.#notices}>${wanted() ? "Turn off" : "Tell me of new mail"}</button></dd>` : nothing}
        <dt>Made</dt><dd>${moment(m.created_at)}</dd>
        ${m.expires_at ? html`<dt>Ends</dt><dd>${moment(m.expires_at)}</dd>` : nothing}
        <dt>Sent today</dt><dd>${count(m.sends_today)}${m.daily_send_limit ? ` of ${count(m.daily_send_limit)}` : ", no limit"}</dd>
        <dt>Stored</dt><dd>${used(m.usage.bytes, m.limits.bytes, bytesOf)}</dd>
        <dt>Messages</dt><dd>${used(m.usage.messages, m.limits.messages, count)}</dd>
        <dt>Kept</dt><dd>${kept(m.limits.retention_days)}</dd>
        ${m.limits.inbound_per_hour ? html`<dt>Takes</dt><dd>${count(m.limits.inbound_per_hour)} messages an hour</dd>` : nothing}
        <dt>Webhook</dt><dd>${badge(m.webhook.status)}</dd>
        <dt>Largest message</dt><dd>${bytesOf(limits.message_bytes)}, to ${limits.recipients_per_email} recipients</dd>
        <dt>Version</dt><dd>${clean(session.me.worker)} ${clean(session.me.version)}</dd></dl>
      ${session.provisional ? this.#claiming() : nothing}
      ${session.provisional || !session.reads() ? nothing : html`<section class="card"><h2>Export</h2>
        <p>All messages, received and sent. For very large mailboxes use <code>mailkin export FILE</code>, which goes on where it broke off.</p>
        <p class="row">${["mbox", "zip"].map((f) => html`<button ?disabled=${this.taking} @click=${() => this.#take(f)}>${icon("down")}Download ${f}</button>`)}
          ${this.taking ? html`<span class="soft" role="status">Coming in …</span>` : nothing}</p></section>`}
      ${session.operator ? nothing : html`<section class="card danger-zone"><h2>Delete</h2><p>The mailbox, its keys and all its mail, at once and for good.</p>
        <button class="danger" @click=${this.#remove}>Delete this mailbox</button></section>`}`;
  }

  #claiming() {
    const c = this.claim;
    return html`<section class="card"><h2>Keep it</h2><p>A claim makes this mailbox permanent:</p><ul>${gains.map((g) => html`<li>${g}</li>`)}</ul>
      ${c ? html`<p class="note plain">Open this page and confirm that <strong>${clean(c.mailbox)}</strong> is kept. The agent then fetches its new key.</p>
          <p class="row"><a class="button primary" href=${c.url} target="_blank" rel="noopener">Open the page</a>${copyButton(c.url, "Link", "Copy the link")}</p>`
        : html`<button class="primary" @click=${this.#start}>Claim it</button>`}</section>`;
  }
}
customElements.define("mk-mailbox", Mailbox);
