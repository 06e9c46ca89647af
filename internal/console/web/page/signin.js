// Signing in, with the operator's token or the key of a mailbox.

import { html, nothing } from "../vendor/lit.js";
import { session } from "../app/session.js";
import { View } from "../part/view.js";

class SignIn extends View {
  static properties = { failure: { state: true }, busy: { state: true } };

  firstUpdated() { this.querySelector("input").focus(); }

  #submit(e) {
    e.preventDefault();
    const key = new FormData(e.target).get("key").trim();
    if (!key) return;
    this.busy = true;
    this.failure = null;
    const done = (failure = null) => { this.busy = false; this.failure = failure; };
    this.dispatchEvent(new CustomEvent("key", { detail: { key, done } }));
  }

  render() {
    return html`<main class="sheet signin"><h1>Mailkin</h1>
      <p>See and steer what your agents do with their mail. The operator's token shows every mailbox, the key of a mailbox shows that one.</p>
      ${session.lost ? html`<p class="note warn" role="alert">You were signed out: the key that you used has ended, or was changed or revoked. What you were writing is kept in this tab.</p>` : nothing}
      <form @submit=${this.#submit}>
        <label class="field"><span>Token or key</span>
          <input name="key" type="password" required autocomplete="off" spellcheck="false" aria-invalid=${this.failure ? "true" : "false"}
            aria-describedby="problem"></label>
        <p id="problem" class="note bad" role="alert" ?hidden=${!this.failure}>${this.failure?.message ?? nothing}</p>
        <button class="primary wide" ?disabled=${this.busy}>Sign in</button>
      </form>
      <p class="soft">The key stays in this tab until you sign out. A closed tab forgets it, unless the browser brings the tab back. On the server's machine,
        <code>mailkin secret show token</code> prints the operator's token.</p></main>`;
  }
}
customElements.define("mk-signin", SignIn);
