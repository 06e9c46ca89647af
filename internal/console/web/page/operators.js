// The people who run the deployment: each has a name, a role, and a key or a sign-in of their own.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, clean } from "../app/format.js";
import { root } from "../app/route.js";
import { session } from "../app/session.js";
import { moment } from "../part/event.js";
import { Page, badge, empty, heading } from "../part/view.js";
import { question, showOnce } from "../part/dialog.js";

const roles = ["view", "moderate", "admin"];

class Operators extends Page {
  static properties = { list: { state: true } };

  async fetch() { this.list = (await ask("GET", "operators")).operators; }

  #fields(o = {}) {
    return [{ name: "name", label: "Name", required: true, value: o.name ?? "" },
      { name: "role", label: "Role", options: roles, value: o.role ?? "view", hint: "view looks, moderate also decides on held mail and pauses mailboxes, admin may everything" },
      { name: "email", label: "Address", value: o.email ?? "", hint: "With which the person may sign in at the provider. It may be left empty." }];
  }

  async #add() {
    const made = await question({ title: "A new operator", text: "A person with a key of their own, so that the audit log says who did what.", action: "Add", fields: this.#fields(),
      run: ({ name, role, email }) => ask("POST", "operators", { body: { name: name.trim(), role, ...(email.trim() ? { email: email.trim() } : {}) } }) });
    if (!made) return;
    await showOnce(`${clean(made.name)} is an operator`, "This is the key. It is shown this once.", made.api_key);
    this.load();
  }

  // gone loads the list again where an operator is not there any more, and passes on what went wrong.
  #gone = (failure) => {
    if (failure.status === 404) this.load();
    throw failure;
  };

  async #change(o) {
    const own = o.id === session.me.operator?.id;
    // what was not touched is not sent: somebody else may have changed it since
    const run = (typed) => {
      const change = Object.fromEntries(["name", "role", "email"].filter((f) => typed[f].trim() !== (o[f] ?? "")).map((f) => [f, typed[f].trim() || null]));
      return Object.keys(change).length === 0 ? {} : ask("PATCH", `operators/${o.id}`, { body: change }).then(() => change, this.#gone);
    };
    const text = own ? "This is you. Another role counts from your next request on: without admin, you cannot take it back, and only another admin or the deployment's token can." : "A role counts from the next request on, also for open sessions.";
    const change = await question({ title: own ? `Change ${clean(o.name)}, yourself` : `Change ${clean(o.name)}`, text, action: "Save", fields: this.#fields(o), run });
    if (!change) return;
    if (own && change.role) location.assign(new URL("console", root)); // other pages, and another menu
    else if (own && change.name) location.reload();
    else this.load();
  }

  async #remove(o) {
    const own = o.id === session.me.operator?.id;
    const text = [own ? "This is you: you are signed out at once." : "The key and all sessions end at once.", "What the person did stays in the audit log.",
      o.subject && !o.email ? "The role comes from a claim at the sign-in provider: the person is back at the next sign-in while the claim holds. To keep them out, take the claim away at the provider, or the role from it with the setting oidc_roles." : ""].join(" ").trim();
    const done = await question({ title: own ? `Remove ${clean(o.name)}, yourself?` : `Remove ${clean(o.name)}?`, text, action: "Remove", danger: true,
      run: () => ask("DELETE", `operators/${o.id}`).catch(this.#gone) });
    if (!done) return;
    if (own) session.end({ lost: true });
    else this.load();
  }

  content() {
    return html`${heading("Operators", "People with a name and a role. The deployment's own token is none of them: it stays the admin's, whoever else there is.", html`<button class="primary" @click=${this.#add}>New operator</button>`)}
      ${this.list.length === 0 ? empty("No operators", "Whoever works here uses the deployment's token. Give each person a key of their own, with a role.")
        : html`<div class="scroll card" tabindex="0" role="region" aria-label="Operators"><table class="stack"><thead><tr><th>Who</th><th>Role</th><th>Key</th><th>Made</th><th>Last used</th><th>Ends</th><th>Sessions</th><th></th></tr></thead><tbody>
        ${this.list.map((o) => html`<tr><td title=${clean(o.subject ?? "")}><bdi>${clean(o.name)}</bdi>${o.id === session.me.operator?.id ? html` ${badge("good", "you")}` : nothing}${o.email ? html`<br><small><bdi>${clean(o.email)}</bdi></small>` : nothing}</td>
          <td data-of="Role">${badge("plain", o.role)}</td><td data-of="Key">${o.prefix ? html`<code>${clean(o.prefix)}</code>` : "signs in"}</td><td data-of="Made">${moment(o.created_at)}</td><td data-of="Last used">${ago(o.last_used_at)}</td>
          <td data-of="Ends">${o.expires_at ? moment(o.expires_at) : "when removed"}</td><td data-of="Sessions">${o.sessions}</td>
          <td><button class="small" @click=${() => this.#change(o)}>Change</button> <button class="small danger" @click=${() => this.#remove(o)}>Remove</button></td></tr>`)}</tbody></table></div>`}`;
  }
}
customElements.define("mk-operators", Operators);
