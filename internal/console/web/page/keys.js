// The keys of the mailbox that is looked at. The operator sees all of them, the owner can change the own one.

import { html, nothing } from "../vendor/lit.js";
import { ask, moderate, own } from "../app/api.js";
import { ago, clean, moment } from "../app/format.js";
import { live } from "../app/live.js";
import { root } from "../app/route.js";
import { session } from "../app/session.js";
import { Page, badge, empty, heading } from "../part/view.js";
import { copyButton } from "../part/copy.js";
import { question, showOnce } from "../part/dialog.js";

// powers are what a key may be made for, in words.
const powers = { everything: null, "read and send": ["read", "code", "send", "draft"], "only read": ["read", "code"], "only codes": ["code"], "draft, for approval": ["read", "code", "draft"] };

class Keys extends Page {
  static properties = { list: { state: true } };

  async fetch() {
    this.list = session.operator ? (await moderate("GET", session.mailbox, "/keys")).keys : [];
  }

  async #create() {
    const made = await question({ title: "A new key", text: html`For <bdi>${clean(session.mailbox)}</bdi>. It is shown once.`, action: "Create",
      fields: [{ name: "name", label: "Name", placeholder: "what uses it", hint: "So that you know it again. It may be left empty." }, { name: "may", label: "May", options: Object.keys(powers), value: "everything" }],
      run: ({ name, may }) => moderate("POST", session.mailbox, "/keys", { body: { ...(name.trim() ? { name: name.trim() } : {}), ...(powers[may] ? { capabilities: powers[may] } : {}) } }) });
    if (!made) return;
    await showOnce("A new key", "It is shown this once: store it where the agent finds it.", made.api_key);
    this.load();
  }

  async #rename(k) {
    const done = await question({ title: `Rename ${k.prefix}`, fields: [{ name: "name", label: "Name", value: k.name ?? "" }], action: "Rename", run: ({ name }) => ask("PATCH", `keys/${k.id}`, { body: { name: name.trim() || null } }) });
    if (done) this.load();
  }

  async #revoke(k) {
    const done = await question({ title: `Revoke ${k.prefix}?`, text: "Its users are refused from this moment on.", action: "Revoke", danger: true, run: () => ask("DELETE", `keys/${k.id}`) });
    if (done) this.load();
  }

  async #rotate() {
    const made = await question({ title: "Change the key?", text: "You get a new key, and the one in use ends. Everything that uses it must be given the new one.", action: "Change it", run: change });
    if (!made) return;
    showOnce("The new key", "It is shown this once. This tab uses it already.", made.api_key);
  }

  content() {
    if (!session.operator) return this.#owner();
    return html`${heading("Keys", html`Of <bdi>${clean(session.mailbox)}</bdi>. A key is stored as a digest and never shown again.`, session.may ? html`<button class="primary" ?disabled=${this.busy} @click=${this.#create}>New key</button>` : nothing)}
      ${this.list.length === 0 ? empty("No keys", "Nobody but the operator can use this mailbox.") : html`<div class="scroll card" tabindex="0" role="region" aria-label="Keys"><table class="stack"><thead><tr><th>Key</th><th>Name</th><th>Scope</th><th>Made</th><th>Last used</th><th>Ends</th><th></th></tr></thead><tbody>
        ${this.list.map((k) => html`<tr><td><code>${clean(k.prefix)}</code></td><td data-of="Name"><bdi>${clean(k.name ?? "")}</bdi></td><td data-of="Scope">${badge("plain", k.capabilities?.join(", ") ?? k.scope)}</td><td data-of="Made">${moment(k.created_at)}</td><td data-of="Last used" title=${moment(k.last_used_at)}>${ago(k.last_used_at)}</td>
          <td data-of="Ends">${k.expires_at ? moment(k.expires_at) : "when revoked"}</td><td>${!session.may ? nothing : html`${k.scope === "mailbox" ? html`<button class="small" @click=${() => this.#rename(k)}>Rename</button> ` : nothing}<button class="small danger" @click=${() => this.#revoke(k)}>Revoke</button>`}</td></tr>`)}</tbody></table></div>`}
      ${connect()}`;
  }

  #owner() {
    const { me } = session;
    return html`${heading("Keys", nothing, html`<button class="primary" @click=${this.#rotate}>Change the key</button>`)}
      <dl class="facts card"><dt>In use</dt><dd><code>${session.key.slice(0, 7)}…</code></dd><dt>Scope</dt><dd>${badge("plain", me.scope)}</dd>
        <dt>Ends</dt><dd>${me.expires_at ? moment(me.expires_at) : "when revoked"}</dd><dt>May</dt><dd>${me.capabilities.join(", ")}</dd></dl>
      <p class="soft">Further keys, and revoking others, are the operator's to do.</p>
      ${connect()}`;
  }
}
customElements.define("mk-keys", Keys);

// connect says how a program uses the mailbox, with the address of this deployment.
function connect() {
  const base = root.href.replace(/\/$/, "");
  const ways = [
    ["Environment", `export MAILKIN_URL=${base} MAILKIN_API_KEY=mk_…`],
    ["Python", "pip install mailkin", "Mailkin().open_mailbox().wait_for_code()"],
    ["TypeScript", "npm install @mailkin/client", "(await new Mailkin().openMailbox()).waitForCode()"],
    ["MCP", `${base}/mcp`],
  ];
  return html`<section class="card"><h2>Connect</h2><p>A program finds the mailbox by two variables of its environment, the address of this server and a key:</p>
    <dl class="facts">${ways.map(([name, first, then]) => html`<dt>${name}</dt><dd><code>${first}</code> ${copyButton(first, name)}${then ? html`<br><code>${then}</code>` : nothing}</dd>`)}</dl>
    <p><a href=${`${base}/docs`}>Every route, with samples for curl, Python and TypeScript, to try with this key</a></p></section>`;
}

// change gets a new key and goes on with it. Meanwhile nothing else asks with the old one.
async function change() {
  session.changing = true;
  live.rest();
  try {
    const made = await own("POST", "keys/rotate", { body: {} });
    session.begin(made.api_key, session.me);
    return made;
  } catch (e) {
    live.again();
    throw e;
  } finally {
    session.changing = false;
  }
}
