// Who is signed in with the provider, and ending that.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, clean } from "../app/format.js";
import { session } from "../app/session.js";
import { moment } from "../part/event.js";
import { Page, badge, empty, heading } from "../part/view.js";
import { question } from "../part/dialog.js";
import { provider } from "./signin.js";

class Sessions extends Page {
  static properties = { list: { state: true } };

  async fetch() { this.list = (await ask("GET", "sessions")).sessions; }

  async #end(s) {
    const done = await question({ title: `End this session of ${clean(s.name)}?`, text: s.current ? "It is your own: you are signed out." : "Whoever uses it is signed out at once, and can sign in again.", action: "End it", danger: true, run: () => ask("DELETE", `sessions/${s.id}`) });
    if (done) this.#after(s.current);
  }

  async #endAll(s) {
    const own = this.list.some((o) => o.current && o.operator_id === s.operator_id);
    const done = await question({ title: `End all sessions of ${clean(s.name)}?`, text: "On every device, at once. To keep the person out for good, take the role away: at the provider, in the settings, or with mailkin operator remove.", action: "End all", danger: true, run: () => ask("DELETE", `operators/${s.operator_id}/sessions`) });
    if (done) this.#after(own);
  }

  #after(own) {
    if (own) session.end({ lost: true });
    else this.load();
  }

  content() {
    const several = (s) => this.list.filter((o) => o.operator_id === s.operator_id).length > 1;
    return html`${heading("Sessions", provider ? html`Of people who signed in with ${provider}.` : nothing, html`<button class="small" @click=${() => this.load()}>Refresh</button>`)}
      ${this.list.length === 0 ? empty("No sessions", provider ? "Nobody is signed in with the provider." : "People can sign in here with an OpenID provider when the settings name one (oidc_issuer).")
        : html`<div class="scroll card" tabindex="0" role="region" aria-label="Sessions"><table class="stack"><thead><tr><th>Who</th><th>Role</th><th>From</th><th>Since</th><th>Last used</th><th>Ends</th><th></th></tr></thead><tbody>
        ${this.list.map((s) => html`<tr><td title=${clean(s.subject)}><bdi>${clean(s.name)}</bdi>${s.current ? html` ${badge("good", "this one")}` : nothing}${s.email ? html`<br><small><bdi>${clean(s.email)}</bdi></small>` : nothing}</td>
          <td data-of="Role">${badge("plain", s.role)}</td><td data-of="From">${s.client}</td><td data-of="Since">${moment(s.created_at)}</td><td data-of="Last used">${ago(s.last_used_at)}</td><td data-of="Ends">${moment(s.expires_at)}</td>
          <td><button class="small danger" @click=${() => this.#end(s)}>End</button>${several(s) ? html` <button class="small danger" @click=${() => this.#endAll(s)}>End all</button>` : nothing}</td></tr>`)}</tbody></table></div>`}`;
  }
}
customElements.define("mk-sessions", Sessions);
