// Signing in: with a provider where the deployment has one, with the operator's token, or with the key of a mailbox.

import { html, nothing } from "../vendor/lit.js";
import { root } from "../app/route.js";
import { session } from "../app/session.js";
import { View } from "../part/view.js";

// provider is where people sign in; empty: nowhere but here.
export const provider = document.querySelector("meta[name=provider]")?.content ?? "";

const backSlot = "mailkin.back";

// away notes where in the console a person is, before the browser goes to the provider.
function away() { sessionStorage.setItem(backSlot, location.pathname + location.search); }

// back is where the person was; null: the tab does not know.
export function back() {
  const place = sessionStorage.getItem(backSlot);
  sessionStorage.removeItem(backSlot);
  return place?.startsWith(new URL("console", root).pathname) ? place : null;
}

const again = "Try again, or sign in with a key.";
const failures = {
  provider_down: `${provider} does not answer as it should. ${again}`,
  signin_state: `This sign-in was not begun in this browser, took longer than ten minutes, or is over already. ${again}`,
  signin_refused: `${provider} did not sign you in, or you declined. ${again}`,
  signin_token: `The answer of ${provider} cannot be believed, so nobody was signed in. ${again} The server's log says what was wrong with it.`,
  not_mapped: `${provider} knows you, but you are not an operator here. Somebody who is can add your address, or the settings can name a group of yours.`,
  too_many_operators: "There are too many operators and sessions. An operator must end some first.",
  auth_rate_limited: "Too many attempts from your network have failed. Try again in an hour, or sign in with a key.",
  cookie: "You signed in, but the browser did not keep the session. Does it refuse cookies, or is this not the address that the setting public_url names?",
};
let why = "";

// failed says on this page why the provider's answer did not sign a person in.
export function failed(word) { why = failures[word] ?? `It did not work, for a reason that the server's log has. ${again}`; }

class SignIn extends View {
  static properties = { failure: { state: true }, busy: { state: true } };

  firstUpdated() { this.querySelector("a.button, input").focus(); }

  disconnectedCallback() {
    super.disconnectedCallback();
    why = "";
  }

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
      ${session.lost ? html`<p class="note warn" role="alert">You were signed out: ${session.lost === "session" ? "your session has ended" : "the key that you used has ended, or was changed or revoked"}. What you were writing is kept in this tab.</p>` : nothing}
      ${why ? html`<p class="note bad" role="alert">${why}</p>` : nothing}
      ${provider ? html`<p><a class="button primary wide" href=${new URL("signin", root)} @click=${away}>Sign in with ${provider}</a></p><p class="soft">Or with a key:</p>` : nothing}
      <form @submit=${this.#submit}>
        <label class="field"><span>Token or key</span>
          <input name="key" type="password" required autocomplete="off" spellcheck="false" @input=${() => { this.failure = null; }} aria-invalid=${this.failure ? "true" : "false"}
            aria-describedby="problem"></label>
        <p id="problem" class="note bad" role="alert" ?hidden=${!this.failure}>${this.failure?.message ?? nothing}</p>
        <button class="${provider ? "" : "primary"} wide" ?disabled=${this.busy}>Sign in</button>
      </form>
      <p class="soft">The key stays in this tab until you sign out. A closed tab forgets it, unless the browser brings the tab back. On the server's machine,
        <code>mailkin secret show token</code> prints the operator's token.</p></main>`;
  }
}
customElements.define("mk-signin", SignIn);
