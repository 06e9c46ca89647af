// What pages that show events have in common.

import { html } from "../vendor/lit.js";
import { options } from "./view.js";

// kinds are the words for kinds of events, and their colours.
export const kinds = { "message.received": ["received", "plain"], "message.sent": ["sent", "plain"], "message.delivered": ["delivered", "good"],
  "message.bounced": ["bounced", "bad"], "message.complained": ["complained", "bad"],
  "message.held": ["held", "warn"], "message.approved": ["approved", "good"], "message.rejected": ["rejected", "bad"], "message.canceled": ["canceled", "plain"],
  "mailbox.sending_paused": ["stopped", "bad"], "mailbox.quota": ["nearly full", "bad"], "recipient.unsubscribed": ["unsubscribed", "plain"] };

// select lets a person choose one kind.
export function select(chosen, change) {
  return html`<select aria-label="Kind" @change=${(e) => change(e.target.value)}>${options([["", "Every kind"], ...Object.keys(kinds).map((k) => [k, kinds[k][0]])], chosen)}</select>`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const dayAndClock = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

// moment is a time to the second, and its day where that is not today.
export function moment(iso) {
  const t = new Date(iso);
  return html`<time datetime=${iso}>${(t.toDateString() === new Date().toDateString() ? clock : dayAndClock).format(t)}</time>`;
}
