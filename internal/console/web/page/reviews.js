// Messages that wait for a person's decision, one by one or several at once, and what was decided.

import { html, nothing, repeat } from "../vendor/lit.js";
import { ago, clean, moment, plural, subject } from "../app/format.js";
import { held } from "../app/held.js";
import { back, settle, to } from "../app/route.js";
import { session } from "../app/session.js";
import { badge, options } from "../part/view.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say, unsay } from "../part/toast.js";
import { recipients } from "./review.js";

const undoable = 5; // seconds in which a decision can be taken back: only then is it told to the server

const statuses = { held: "Waiting", approved: "Approved", rejected: "Rejected", expired: "Expired", canceled: "Called back" };
const about = "What agents want to send. Nothing of it leaves before a person approves it.";
const words = { approve: "approved", reject: "rejected" };
const none = { held: ["Nothing waits for you", "Messages come here that the policy of their mailbox has a person look at first."] };

class Reviews extends TablePage {
  static properties = { id: {}, chosen: { state: true }, status: { state: true } };
  path = "reviews";
  member = "reviews";
  keyed = "id";
  title_ = "Reviews";
  about = about;
  one = "message";
  rowHeight = 84;
  narrowHeight = 124;
  request = (...what) => held.request(...what);

  constructor() {
    super();
    this.status = "held";
    this.chosen = new Map(); // id → review, as it was when it was chosen
    this.onChange = () => { if (session.me && this.ready && !this.id) this.pager.refresh().then(() => this.#forget()).catch(() => {}); };
  }

  connectedCallback() {
    super.connectedCallback();
    held.addEventListener("change", this.onChange);
    addEventListener("pagehide", this.#now);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    held.removeEventListener("change", this.onChange);
    removeEventListener("pagehide", this.#now);
    this.#now();
  }

  get none() { return none[this.status] ?? ["There is none", "What was decided about messages is here."]; }

  query() { return { status: this.status }; }

  // fetch leaves out what was decided here and can still be undone: the server does not know of it yet.
  async fetch() {
    await super.fetch();
    for (const r of this.pending?.list ?? []) this.#drop(r.id);
  }

  willUpdate(changed) {
    if (changed.get("id") && !this.id && this.ready) this.load(); // somebody went back to the list
  }

  deed(name) { if (name === "back" && this.id) back("reviews"); }

  // forget takes rows off the list that somebody else has decided on.
  async #forget() {
    const { pager } = this;
    if (this.status !== "held" || pager.items.length > 100) return;
    const { reviews } = await this.request("GET", "reviews", { query: { status: "held", limit: 100 } });
    if (pager !== this.pager) return; // another list is shown by now
    const there = new Set(reviews.map((r) => r.id));
    for (const r of pager.items) if (!there.has(r.id)) this.#drop(r.id);
  }

  #drop(id) {
    this.pager.drop(id);
    this.chosen.delete(id);
    this.chosen = new Map(this.chosen);
  }

  #show(status) {
    this.#now();
    this.status = status;
    this.chosen = new Map();
    this.load();
  }

  #choose(r, on) {
    if (on) this.chosen.set(r.id, r);
    else this.chosen.delete(r.id);
    this.chosen = new Map(this.chosen);
  }

  // approve and reject decide about messages as they were when they were shown.
  async #approve(list) {
    const one = list.length === 1 && await this.act(() => this.request("GET", `reviews/${list[0].id}`)); // the list has one recipient of each
    if (one === undefined) return;
    const text = one ? `To ${recipients(one.email)}.` : "Each of them is sent.";
    const title = list.length === 1 ? `Send ${subject(list[0].email.subject)}?` : `Send ${plural(list.length, "message")}?`;
    if (await question({ title, text, action: "Approve", undone: true })) this.#decide({ list, what: "approve", body: {} });
  }

  async #reject(list) {
    const title = list.length === 1 ? `Reject ${subject(list[0].email.subject)}?` : `Reject ${plural(list.length, "message")}?`;
    const answer = await question({ title, text: "Nothing is sent. The agent reads the reason.", action: "Reject", danger: true, fields: [{ name: "reason", label: "Reason" }] });
    if (answer) this.#decide({ list, what: "reject", body: { reason: answer.reason } });
  }

  // decide takes rows off the list, and tells the server in some seconds, until when it can be undone: the server's own
  // decision is final. Another decision, and leaving the page, tell it at once.
  #decide(decision) {
    this.#now();
    this.pending = { ...decision, key: session.key }; // also after somebody has signed out
    for (const r of decision.list) this.#drop(r.id);
    const n = decision.list.length, word = words[decision.what];
    this.timer = setTimeout(this.#now, undoable * 1000);
    say(n === 1 ? `It is ${word} in ${undoable} seconds.` : `${plural(n, "message")} are ${word} in ${undoable} seconds.`, "plain", { text: "Undo", seconds: undoable, run: () => this.#undo() });
  }

  #undo() {
    clearTimeout(this.timer);
    if (!this.pending) return;
    this.pending = null;
    this.load();
    say("Nothing was decided.");
  }

  // now tells the server what was decided. Each message is decided on for itself: one that fails keeps back none.
  #now = async () => {
    clearTimeout(this.timer);
    const { list, what, body, key } = this.pending ?? {};
    if (!list) return;
    this.pending = null;
    unsay("Undo");
    const failed = [];
    await Promise.all(list.map(async (r) => { // at once: the page may be going away
      try {
        await this.request("POST", `reviews/${r.id}/${what}`, { body: { ...body, version: r.version }, key, keepalive: true });
      } catch (e) {
        failed.push(`${list.length > 1 ? `${subject(r.email.subject)}: ` : ""}${e.message}`);
      }
    }));
    held.count();
    if (failed.length < list.length) say(list.length - failed.length === 1 ? `It is ${words[what]}.` : `${plural(list.length - failed.length, "message")} ${words[what]}.`);
    if (!failed.length) return;
    say(failed.slice(0, 3).join(" ") + (failed.length > 3 ? ` And ${failed.length - 3} more.` : ""), "bad");
    if (this.isConnected && !this.id) this.load();
  };

  actions() {
    const list = [...this.chosen.values()];
    return html`${list.length ? html`<button class="primary" @click=${() => this.#approve(list)}>Approve ${list.length}</button>
        <button @click=${() => this.#reject(list)}>Reject ${list.length}</button>` : nothing}
      ${this.status === "held" && this.pager.items.length > 1 && !list.length ? html`<button @click=${() => { this.chosen = new Map(this.pager.items.map((r) => [r.id, r])); }}>Select all</button>` : nothing}
      ${list.length ? html`<button @click=${() => { this.chosen = new Map(); }}>Select none</button>` : nothing}
      <select aria-label="Show" @change=${(e) => this.#show(e.target.value)}>${options(Object.entries(statuses), this.status)}</select>`;
  }

  content() {
    if (!this.id) return super.content();
    const decided = (e) => {
      settle("reviews");
      this.#decide(e.detail);
    };
    return repeat([this.id], (id) => id, (id) => html`<mk-review .id=${id} @back=${() => back("reviews")} @decided=${decided}></mk-review>`);
  }

  row(r) {
    const waits = r.status === "held";
    return html`<article class="plainrow">${waits ? html`<input type="checkbox" aria-label="Select ${subject(r.email.subject)}" .checked=${this.chosen.has(r.id)}
        @change=${(e) => this.#choose(r, e.target.checked)}>` : nothing}
      <div class="wide"><strong><bdi>${subject(r.email.subject)}</bdi></strong> ${waits ? nothing : badge(r.status)}
      <p class="soft"><bdi>${clean(r.mailbox)}</bdi> to <bdi>${whom(r)}</bdi> · ${moment(r.created_at)} · ${waits ? `expires ${ago(r.expires_at)}` : `decided ${ago(r.decided_at)}`}</p>
      <p class="soft"><bdi>${clean(waits ? r.reasons.join(" ") : r.reason || r.reasons.join(" "))}</bdi></p></div>
      <div class="row"><a class="button small" href=${to("reviews", r.id)}>Read</a>
        ${waits ? html`<button class="small" @click=${() => this.#approve([r])}>Approve</button><button class="small" @click=${() => this.#reject([r])}>Reject</button>` : nothing}</div></article>`;
  }
}
customElements.define("mk-reviews", Reviews);

// whom names who would get a message: of many the first.
function whom(r) { return clean(r.email.to_address); }
