// Several messages at once: which are chosen, and what can be done to them.

import { html, nothing } from "../vendor/lit.js";
import { bytes, own } from "../app/api.js";
import { plural } from "../app/format.js";
import { session } from "../app/session.js";
import { question } from "./dialog.js";
import { say } from "./toast.js";

const together = 4; // requests at a time
const most = 5000; // messages that are chosen at once
const exported = 200; // messages in one file

export class Bulk {
  ids = new Set();
  doing = ""; // what is under way
  #last = -1; // the row that was chosen last, for ranges

  // page has a pager with messages, and is drawn again after each change.
  constructor(page) { this.page = page; }

  get #items() { return this.page.pager?.items ?? []; }

  clear() {
    this.ids = new Set();
    this.page.requestUpdate();
  }

  // pick chooses a row or gives it up; with range, all rows between it and the last one.
  pick(id, range = false) {
    const at = this.#items.findIndex((m) => m.id === id);
    const on = !this.ids.has(id);
    const from = range && this.#last >= 0 ? Math.min(this.#last, at) : at;
    const to = range && this.#last >= 0 ? Math.max(this.#last, at) : at;
    for (const m of this.#items.slice(from, to + 1)) this.ids[on ? "add" : "delete"](m.id);
    this.#last = at;
    this.page.requestUpdate();
  }

  // all chooses everything that the filter lets through, also what is not loaded yet.
  async all() {
    const { pager } = this.page;
    try {
      while (!pager.done && pager.items.length < most) await pager.next();
    } catch (e) {
      say(e.message, "bad");
    }
    if (pager !== this.page.pager) return; // another filter was chosen meanwhile
    this.ids = new Set(pager.items.slice(0, most).map((m) => m.id));
    if (pager.items.length > most || !pager.done) say(`The newest ${most} are chosen.`);
    this.page.requestUpdate();
  }

  // each does something to every chosen message of this mailbox, some at a time, and says how it went. Another mailbox may
  // be looked at before it ends. Messages that somebody else has deleted meanwhile go off the list.
  async #each(word, work) {
    const ids = [...this.ids];
    const { mailbox } = session, { pager } = this.page;
    let next = 0, failed = 0, gone = 0, why = "";
    const worker = async () => {
      while (next < ids.length) {
        const id = ids[next++];
        this.doing = `${word} ${next} of ${ids.length}`;
        this.page.requestUpdate();
        try {
          await work(session.operator ? { mailbox, id } : { id }, pager);
        } catch (e) {
          if (e.status === 404) {
            pager.drop(id);
            gone++;
            continue;
          }
          failed++;
          why = e.message;
          if (e.status === 401) next = ids.length;
        }
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
    this.doing = "";
    this.clear();
    dispatchEvent(new Event("mk-counted"));
    const left = gone ? ` ${gone} ${gone === 1 ? "was" : "were"} deleted already.` : "";
    say(failed ? `${plural(failed, "message")} of ${ids.length} failed: ${why}${left}` : `${plural(ids.length - gone, "message")}: done.${left}`, failed ? "bad" : "plain");
  }

  #change(word, body, row) {
    return this.#each(word, async (query, pager) => {
      const m = await own("PATCH", "email", { query, body });
      pager.replace({ id: query.id, ...(row ?? { labels: m.labels }) });
    });
  }

  async #label() {
    const [id] = this.ids;
    const body = ({ label }) => ({ add_labels: [label.trim().toLowerCase()] });
    const first = (e) => { if (e.status !== 400) return {}; throw e; }; // what it says of the label, it says of all
    let asked;
    const sure = await question({ title: `Label ${plural(this.ids.size, "message")}`, action: "Add",
      fields: [{ name: "label", label: "Label", required: true, hint: "Small letters, digits, - and _" }],
      run: (answer) => own("PATCH", "email", { query: { id }, body: asked = body(answer) }).catch(first) });
    if (sure) this.#change("Labelling", asked);
  }

  async #remove() {
    const sure = await question({ title: `Delete ${plural(this.ids.size, "message")}?`, text: "They are gone for good, with their attachments. What is still queued is not sent.",
      action: "Delete", danger: true });
    if (sure) this.#each("Deleting", async (query, pager) => { await own("DELETE", "email", { query }); pager.drop(query.id); });
  }

  // export saves the originals as one mbox file.
  async #export() {
    const parts = [], { mailbox } = session;
    await this.#each("Fetching", async (query) => {
      const raw = new Uint8Array(await (await bytes("email/raw", query)).arrayBuffer());
      const text = Array.from(raw, (b) => String.fromCharCode(b)).join("").replace(/^(>*From )/gm, ">$1");
      parts.push("From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n", Uint8Array.from(text, (c) => c.charCodeAt(0)), "\n\n");
    });
    if (!parts.length) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
    link.download = `${mailbox}.mbox`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // bar is what can be done, while something is chosen.
  bar() {
    if (this.doing) return html`<div class="bar bulk" role="status">${this.doing}</div>`;
    if (this.ids.size === 0) return nothing;
    const button = (text, run, kind = "") => html`<button class="small ${kind}" @click=${run}>${text}</button>`;
    return html`<div class="bar bulk" role="group" aria-label="Chosen messages"><strong role="status">${plural(this.ids.size, "message")} chosen</strong>
      ${button("All", () => this.all())}${button("Seen", () => this.#change("Marking", { seen: true }, { seen: true }))}${button("Not seen", () => this.#change("Marking", { seen: false }, { seen: false }))}
      ${button("Label", () => this.#label())}${this.ids.size <= exported ? button("Export", () => this.#export()) : html`<span class="soft">Export takes ${exported} at most${session.provisional ? "" : "; the page Mailbox exports everything"}.</span>`}${button("Delete", () => this.#remove(), "danger")}${button("None", () => this.clear())}</div>`;
  }
}
