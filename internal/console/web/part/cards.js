// What a mail is about, as cards: orders, receipts, parcels and appointments, as POST /v1/extract finds them.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean, plural } from "../app/format.js";
import { badge, View } from "./view.js";
import { copyButton } from "./copy.js";
import { leaveTo } from "./linked.js";

const most = 12; // cards of a message
const shown = 5, items = 100; // lines of an order: at once, and of those that a click shows
const names = { order: "Order", receipt: "Receipt", shipping: "Parcel", calendar: "Appointment" };

class Cards extends View {
  static properties = { mail: { attribute: false }, records: { state: true } };

  constructor() {
    super();
    this.records = [];
  }

  willUpdate(changed) {
    if (!changed.has("mail") || changed.get("mail")?.id === this.mail.id) return;
    this.records = [];
    this.#ask(this.mail.id);
  }

  // ask is quiet where nothing can be had: the message itself is there.
  async #ask(id) {
    const answer = await own("POST", "extract", { query: { mailbox: this.mail.mailbox }, body: { email_id: id, type: "all" } }).catch(() => null);
    if (id === this.mail.id && answer) this.records = answer.extraction.filter((r) => names[r.type]).slice(0, most);
    this.setAttribute("shown", id);
  }

  render() {
    return this.records.length ? html`<ul class="datacards" aria-label="What is in it">${this.records.map((r) => html`<li class="card">${card(r)}</li>`)}</ul>` : nothing;
  }
}
customElements.define("mk-cards", Cards);

function card(r) {
  const { title, state, facts, list = [], link } = { order, receipt, shipping, calendar }[r.type](r);
  return html`<p class="row"><span class="kind soft">${names[r.type]}</span>${state ? badge(state) : nothing}</p>
    ${title ? html`<strong><bdi>${clean(title).slice(0, 200)}</bdi></strong>` : nothing}
    <dl class="facts">${facts.filter(([, value]) => value).map(([name, value, copied]) => html`<dt>${name}</dt><dd><bdi>${clean(String(value)).slice(0, 300)}</bdi>${copied ? copyButton(String(value), name) : nothing}</dd>`)}</dl>
    ${list.length ? html`<ul>${lines(list.slice(0, shown))}</ul>` : nothing}
    ${list.length > shown ? html`<details><summary>${plural(list.length - shown, "more line")}</summary><ul>${lines(list.slice(shown, items))}${list.length > items ? html`<li>and ${list.length - items} more</li>` : nothing}</ul></details>` : nothing}
    ${link ? leaveTo(link, "Track it") : nothing}`;
}

const lines = (list) => list.map((i) => html`<li><bdi>${clean(i).slice(0, 200)}</bdi></li>`);

// money is an amount with as many decimals as its currency has.
function money(amount, currency) {
  if (amount === null || amount === undefined) return "";
  const known = /^[A-Z]{3}$/.test(currency ?? "") ? new Intl.NumberFormat(undefined, { style: "currency", currency }).resolvedOptions() : { minimumFractionDigits: 2 };
  return `${amount.toLocaleString(undefined, { minimumFractionDigits: known.minimumFractionDigits })} ${currency ?? ""}`.trim();
}

function order(r) {
  return { title: r.merchant ?? r.order_id ?? "Order", facts: [["Number", r.order_id, true], ["Total", money(r.total, r.currency)], ["Date", r.date]],
    list: (r.items ?? []).map((i) => `${i.quantity ? `${i.quantity} × ` : ""}${i.name}${i.price !== null ? `, ${money(i.price, r.currency)}` : ""}`) };
}

function receipt(r) {
  return { title: r.merchant ?? "Receipt", facts: [["Paid", money(r.amount, r.currency)], ["Date", r.date], ["With", r.payment_method], ["Order", r.order_id, true]] };
}

function shipping(r) {
  return { title: r.carrier ?? "", state: r.status, link: r.url, facts: [["Number", r.tracking_number, true], ["Expected", r.eta]] };
}

function calendar(r) {
  return { title: r.title ?? "Appointment", state: r.method === "CANCEL" ? "canceled" : "",
    facts: [["When", [r.date, r.time, r.timezone].filter(Boolean).join(" ")], ["Until", r.end], ["Where", r.location], ["By", r.organizer], ["Repeats", r.recurrence_rule], ["Next", r.next_date]],
    list: r.attendees ?? [] };
}
