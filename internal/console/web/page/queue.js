// Mail on its way out, over all mailboxes, for operators.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { ago, clean, moment, plural } from "../app/format.js";
import { session } from "../app/session.js";
import { badge, options } from "../part/view.js";
import { TablePage } from "../part/table.js";
import { question } from "../part/dialog.js";
import { say } from "../part/toast.js";

const states = { "": "Every state", waiting: "Waiting", sending: "Being sent", scheduled: "Scheduled", on_hold: "On hold" };
const done = { retry: "tried now", cancel: "canceled", hold: "on hold", release: "released" };

class Queue extends TablePage {
  static properties = { state: { state: true }, destination: { state: true }, sums: { state: true } };
  path = "queue";
  member = "deliveries";
  keyed = "id";
  title_ = "Queue";
  about = "Mail of all mailboxes that is still to be sent, what was queued first at the front.";
  none = ["Nothing is in the queue", "Mail comes here that waits for its time, for another attempt, or for you."];
  one = "delivery";
  many = "deliveries";
  rowHeight = 84;
  narrowHeight = 124;
  request = ask;

  constructor() {
    super();
    this.state = this.destination = "";
    this.sums = [];
  }

  get #changes() { return session.me?.operator?.role !== "view"; }

  query() { return { state: this.state, destination: this.destination }; }

  async fetch() {
    const [{ destinations }] = await Promise.all([ask("GET", "queue/destinations"), super.fetch()]);
    this.sums = destinations;
  }

  #choose(change) {
    Object.assign(this, change);
    this.load();
  }

  // #change does something with deliveries: those with ids, or those that are shown.
  async #change(action, body, what) {
    const sure = { cancel: "Their owners see that they were canceled.", hold: "They are not sent until somebody releases them. Their owners see it." }[action];
    const run = () => ask("POST", `queue/${action}`, { body });
    const answer = sure ? await question({ title: `${action === "cancel" ? "Cancel" : "Hold"} ${what}?`, text: sure, action: action === "cancel" ? "Cancel the mail" : "Hold", danger: action === "cancel", run }) : await this.act(run);
    if (!answer) return;
    say(`${plural(answer.changed, this.one, this.many)} ${done[action]}${answer.unchanged ? `, ${answer.unchanged} unchanged` : ""}${answer.next_cursor ? "; there are more" : ""}.`);
    this.load();
  }

  #buttons(body, what, state) {
    if (!this.#changes) return nothing;
    const can = { retry: !state || state === "waiting", hold: state !== "on_hold", release: !state || state === "on_hold", cancel: true };
    const names = { retry: "Try now", hold: "Hold", release: "Release", cancel: "Cancel" };
    return Object.keys(names).filter((a) => can[a] && state !== "sending").map((a) => html`<button class="small" ?disabled=${this.busy} @click=${() => this.#change(a, body, what)}>${names[a]}</button>`);
  }

  actions() {
    const { destination, state } = this;
    const filter = { ...(destination && { destination }), ...(state && { state }) };
    return html`<select aria-label="State" @change=${(e) => this.#choose({ state: e.target.value })}>${options(Object.entries(states), state)}</select>
      <select aria-label="Destination" @change=${(e) => this.#choose({ destination: e.target.value })}>
        ${options([["", "Every destination"], ...this.sums.map((s) => [s.destination, `${clean(s.destination)}: ${s.deliveries}`])], destination)}</select>
      ${destination || state ? this.#buttons(filter, "all that is shown", state) : nothing}`;
  }

  row(d) {
    const answer = `${d.last_code ?? ""} ${d.last_text}`.trim();
    return html`<article class="plainrow"><div><strong><bdi>${clean(d.recipient)}</bdi></strong> ${badge(d.status, d.state === "sending" ? "being sent" : "")}
      <p class="soft">from <bdi>${clean(d.mailbox)}</bdi> · ${moment(d.queued_at)} · ${plural(d.attempts, "attempt")}${d.next_attempt_at ? ` · next ${ago(d.next_attempt_at)}` : ""}</p>
      <p class="soft"><bdi>${clean(answer)}</bdi></p></div>
      <div class="row">${this.#buttons({ ids: [d.id] }, `the mail to ${d.recipient}`, d.state)}</div></article>`;
  }
}
customElements.define("mk-queue", Queue);
