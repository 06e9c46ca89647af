// The console: who is signed in, where we are, and what is around every page.

import { html, nothing, repeat } from "../vendor/lit.js";
import { ask, own } from "./api.js";
import { clean, moment } from "./format.js";
import { held } from "./held.js";
import { keyboard } from "./keyboard.js";
import { live } from "./live.js";
import { pageOf, sections } from "./pages.js";
import { go, root, route, settle, to } from "./route.js";
import { byCookie, session } from "./session.js";
import { icon } from "../part/icon.js";
import { View, empty } from "../part/view.js";
import { say } from "../part/toast.js";
import { question } from "../part/dialog.js";
import "../part/help.js";
import "../part/switcher.js";
import { back, failed } from "../page/signin.js";

const picture = new URL("../icon.svg", import.meta.url).href;
document.querySelector("link[rel=icon]").href = picture; // the address changes, and what is relative with it

const again = 2000; // milliseconds
const mails = ["inbox", "threads", "outbox", "search", "events"]; // pages that show mail

class Console extends View {
  static properties = { phase: { state: true }, menu: { state: true }, unseen: { state: true }, turn: { state: true } };

  constructor() {
    super();
    this.phase = "opening"; // opening, out, in
    this.menu = false;
    this.unseen = 0;
    this.turn = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.replaceChildren();
    this.live = live; // for tests, and for whoever looks into the page with its tools
    session.addEventListener("change", () => this.#changed());
    route.addEventListener("change", () => this.#moved());
    live.addEventListener("state", () => this.requestUpdate());
    live.addEventListener("mail", () => this.#count());
    held.addEventListener("change", () => this.requestUpdate());
    addEventListener("mk-counted", () => this.#count());
    this.addEventListener("again", () => this.#again());
    keyboard(this);
    this.#open();
  }

  // open signs in with the link of a start, with the key that the tab has, or with a session.
  async #open() {
    const link = location.hash.match(/^#signin=([\w-]+)$/);
    const failure = location.hash.match(/^#signin-failed=(\w+)$/);
    const signedIn = location.hash === "#signed-in";
    if (failure || signedIn) history.replaceState(null, "", back() ?? location.pathname);
    if (failure) failed(failure[1]);
    if (link) {
      history.replaceState(null, "", location.pathname); // the token goes no further
      try {
        await this.#signIn(await redeem(link[1]));
      } catch (e) {
        say(e.message, "bad");
      }
    } else if (signedIn || session.key || session.shared) {
      if (signedIn || !session.key) session.key = byCookie;
      await this.#signIn(session.key).catch((e) => {
        if (signedIn) failed(e.status === 401 ? "cookie" : "internal");
        if (e.status === 401) session.end({ lost: !signedIn });
        this.away = e.status === 0 || e.status >= 500;
      });
      if (this.away && !session.me) return this.#openLater(); // the key may be as good as before
    }
    if (!session.me) this.phase = "out";
  }

  // openLater tries again to sign in with the key that the tab has.
  #openLater() {
    this.requestUpdate();
    setTimeout(() => { if (!session.me) this.#open(); }, again);
  }

  async #signIn(key) {
    try {
      session.begin(key, await ask("GET", "me", { key }));
    } catch (e) {
      if (!e.paused) throw e;
      session.begin(key, { scope: "mailbox", mailbox: "", capabilities: [], limits: {}, paused: { by: e.pausedBy, reason: e.reason } }); // it can still be resumed
    }
  }

  // again draws the page again, after something about the whole mailbox has changed.
  async #again() {
    if (session.me.paused) await this.#signIn(session.key).catch((e) => say(e.message, "bad"));
    this.turn++;
  }

  #changed() {
    this.phase = session.me ? "in" : "out";
    this.unseen = 0;
    if (!session.me) return;
    route.read();
    this.#count();
  }

  // count asks how much is unseen, at most once a second.
  #count() {
    if (this.counting || !session.me || !session.holds("read")) return;
    this.counting = true;
    setTimeout(async () => {
      this.counting = false;
      if (!session.me) return;
      try {
        this.unseen = (await own("GET", "stats")).unseen;
      } catch {
        this.unseen = 0; // the page says what is wrong
      }
      this.#name();
    }, 1000);
  }

  // moved shows the page that the address names, and completes an address that names too little.
  #moved() {
    if (!session.me) return;
    this.menu = false;
    if (!route.page) return settle(home());
    if (live.gone === session.mailbox && live.gone) live.again(); // it may have been made again
    const page = pageOf(route.page);
    if (page && !page.whole && !route.mailbox && session.mailbox) return settle(route.page, route.id, Object.fromEntries(route.params));
    this.requestUpdate();
    this.#name();
  }

  // name says in the title where we are, and how much is not seen.
  #name() {
    const page = pageOf(route.page);
    const of = page && !page.whole ? ` · ${clean(session.mailbox)}` : "";
    document.title = `${this.unseen ? `(${this.unseen}) ` : ""}${page?.title ?? "Mailkin"}${of} · Mailkin`;
  }

  render() {
    return html`${this.#inside()}<mk-dialog></mk-dialog><mk-help></mk-help><mk-switcher></mk-switcher><mk-toasts></mk-toasts>
      <div id="whisper" class="offscreen" role="status" aria-live="polite"></div>`;
  }

  #inside() {
    if (this.phase === "opening") return html`<p class="opening">Mailkin</p>${this.away ? html`<p class="state" role="status">The server does not answer. The console opens by itself when it is back.</p>` : nothing}`;
    if (this.phase === "out") return html`<mk-signin @key=${(e) => this.#entered(e)}></mk-signin>`;
    const page = pageOf(route.page);
    const about = page?.whole ? "" : session.mailbox; // another mailbox is another page
    return html`
      <a class="skip" href="#main" @click=${(e) => { e.preventDefault(); this.querySelector("main").focus(); }}>Skip to the page</a>
      <div class="shell ${this.menu ? "open" : ""}">
        <header class="top">
          <button class="bare menu" aria-label="Menu" aria-expanded=${this.menu} @click=${() => { this.menu = !this.menu; }}>${icon("more")}</button>
          <a class="brand" href=${to(home())}><img src=${picture} alt="" width="24" height="24">Mailkin</a>
          ${this.#search()}
          ${this.#line()}
          <button class="bare" aria-label="Keyboard help" title="Keys (?)" @click=${() => this.querySelector("mk-help").open()}>${icon("help")}</button>
        </header>
        <nav aria-label="Pages">${this.#who()}${sections().map((s) => this.#section(s))}
          <button class="bare item leave" @click=${() => this.#leave()}>${icon("out")}Sign out</button></nav>
        <button class="shade" tabindex="-1" aria-hidden="true" @click=${() => { this.menu = false; }}></button>
        <main id="main" tabindex="-1">
          ${this.#provisional()}
          ${this.#lost(page) ?? repeat([`${page.name} ${about} ${this.turn}`], (k) => k, () => page.draw())}
        </main>
      </div>`;
  }

  // lost stands in place of a page that is not there, or not for this key.
  #lost(page) {
    const back = html`<a class="button" href=${to(home())}>Go to the ${pageOf(home()).title.toLowerCase()}</a>`;
    if (route.mailbox && !session.operator && session.mailbox && route.mailbox.toLowerCase() !== session.mailbox.toLowerCase()) {
      return empty("Another mailbox", html`This address belongs to <bdi>${clean(route.mailbox)}</bdi>, and you are signed in to <bdi>${clean(session.mailbox)}</bdi>. Sign in with its key to see it.`, back);
    }
    if (page && !page.whole && live.gone && live.gone === session.mailbox) {
      return empty("This mailbox is gone", html`There is no <bdi>${clean(session.mailbox)}</bdi> any more.`, html`<a class="button" href=${to("mailboxes")}>Mailboxes</a>`);
    }
    if (!page && session.operator && !session.reads() && session.holds("read") && mails.includes(route.page)) {
      return empty("Not for your role", html`With the role ${session.role} you see the settings and numbers of <bdi>${clean(session.mailbox)}</bdi>, and not its mail.`, html`<a class="button" href=${to("mailbox")}>Go to its settings</a>`);
    }
    return page ? null : empty("There is no such page", "It does not exist, or this key may not see it.", back);
  }

  // leave signs out; who has a session, at the provider as well.
  async #leave() {
    let next = "";
    if (await this.querySelector("mk-compose")?.unstored() && !await question({ title: "Sign out without what you wrote?",
      text: "It could not be saved as a draft, and this tab forgets it.", action: "Sign out", danger: true })) return;
    if (session.cookie) {
      try {
        next = (await ask("DELETE", "session")).provider_url ?? "";
      } catch (e) {
        if (e.status !== 401) return say(e.message, "bad");
      }
    }
    history.replaceState(null, "", new URL("console", root));
    session.end();
    if (next) location.assign(next);
  }

  async #entered(e) {
    e.preventDefault();
    try {
      await this.#signIn(e.detail.key);
      e.detail.done();
    } catch (failure) {
      e.detail.done(failure);
    }
  }

  #search() {
    if (!session.reads()) return html`<span class="gap"></span>`;
    const submit = (e) => {
      e.preventDefault();
      const q = new FormData(e.target).get("q").trim();
      if (!q) return;
      document.activeElement?.blur(); // so that j and k are keys again
      go("search", "", { q, mode: route.params.get("mode") });
    };
    return html`<form class="searchbox" role="search" @submit=${submit}>${icon("search")}
      <input name="q" type="search" id="search" aria-label="Search this mailbox" placeholder="Search mail" autocomplete="off"
        .value=${route.page === "search" ? route.params.get("q") ?? "" : ""} enterkeyhint="search"><kbd aria-hidden="true">/</kbd></form>`;
  }

  #line() {
    if (!session.reads()) return nothing; // there is no stream
    const text = { on: "Live", connecting: "Connecting", off: "Not connected", paused: "Paused" }[live.state];
    return html`<span class="line ${live.state}" role="status" title="The stream of events: ${text.toLowerCase()}"><span class="dot" aria-hidden="true"></span><span class="words">${text}</span></span>`;
  }

  #who() {
    return html`<div class="who"><span class="soft" title=${clean(session.me.operator?.name ?? "")}>${session.me.operator?.name ? html`<bdi>${clean(session.me.operator.name)}</bdi> · ${session.role}` : { operator: "Operator", provisional: "Temporary mailbox", mailbox: "Mailbox" }[session.me.scope]}</span>
      ${session.operator ? html`<button class="bare switch" title="Open another mailbox (b): ${clean(session.mailbox)}" aria-haspopup="dialog" @click=${() => this.querySelector("mk-switcher").open()}><bdi>${clean(session.mailbox)}</bdi>${icon("down2")}</button>`
        : html`<a href=${to("mailbox")} title=${clean(session.mailbox)}><bdi>${clean(session.mailbox) || "paused"}</bdi></a>`}</div>`;
  }

  #section(section) {
    return html`<ul aria-label=${section.title}>${section.pages.map((p) => html`<li><a class="item ${p.name === "compose" ? "compose" : ""}" href=${to(p.name)}
      aria-current=${route.page === p.name ? "page" : nothing}>${icon(p.icon ?? p.name)}${p.title}
      ${p.name === "inbox" && this.unseen ? html`<span class="count" aria-label="${this.unseen} not seen">${this.unseen > 999 ? "999+" : this.unseen}</span>` : nothing}
      ${p.name === "reviews" && held.number ? html`<span class="count" aria-label="${held.text} waiting">${held.text}</span>` : nothing}</a></li>`)}</ul>`;
  }

  #provisional() {
    if (!session.provisional) return nothing;
    return html`<p class="note warn banner">This mailbox is temporary and read only: it ends with all its mail on
      ${moment(session.me.expires_at)}. <a href=${to("mailbox")}>Keep it</a> to send mail and open attachments, too.</p>`;
  }
}

// home is where a key begins.
function home() {
  if (session.operator) return "mailboxes";
  return ["inbox", "reviews"].find(pageOf) ?? "mailbox";
}

// redeem exchanges the token of the printed link for the operator's credential.
async function redeem(token) {
  const response = await fetch(new URL("console/signin", root), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body.api_key;
}

customElements.define("mk-console", Console);
