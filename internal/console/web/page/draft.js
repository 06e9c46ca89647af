// What a message that is written is made of, away from its form: a draft of the server, addresses, files, and sentences
// about what became of it.

import { html, nothing } from "../vendor/lit.js";
import { ask } from "../app/api.js";
import { clean } from "../app/format.js";
import { to } from "../app/route.js";
import { say } from "../part/toast.js";

// fromStored is a draft of the server as the form has it, with the files that are not there yet.
export function fromStored(d, form) {
  const local = d.send_at ? new Date(new Date(d.send_at) - new Date().getTimezoneOffset() * 60e3).toISOString().slice(0, 16) : "";
  return { ...form, to: d.to.join(", "), cc: d.cc.join(", "), bcc: d.bcc.join(", "), subject: d.subject, text: d.text ?? "", html: d.html ?? "", from: d.from, later: local, stored: d };
}

// changed tells whether a failure says that the draft of the server is another one by now, or gone, or sent.
export const changed = (failure) => ["draft_changed", "draft_sent"].includes(failure?.code) || failure?.message === "Draft not found";

// orphaned tells whether a failure says that the message was deleted that another one answers, or sends on.
export const orphaned = (failure) => ["email_deleted", "invalid_email_id"].includes(failure.code) || failure.message === "Email not found";

// write types a text into a field: into an answer before what it quotes.
export function write(field, text) {
  field.focus();
  if (field.matches("textarea") && field.value.startsWith("\n")) field.setSelectionRange(0, 0);
  if (!text) return;
  field.setRangeText(field.matches("textarea") ? text : text.replaceAll("\n", ""), field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// about is what a page's address says of what is written there.
export function about(params) {
  return params ? ["draft", "reply", "all", "forward"].map((name) => params.get(name)).join("\n") : undefined;
}

export const list = (people) => people.map((a) => (a.name ? `"${clean(a.name).replaceAll('"', "'")}" <${clean(a.address)}>` : clean(a.address))).join(", ");
export const prefixed = (prefix, text, known) => (known.test(text) ? clean(text) : prefix + clean(text));

// addresses splits at commas that are not inside quotes or angle brackets.
export function addresses(text) {
  return (text.match(/(?:"[^"]*"|<[^>]*>|[^,;"<])+/g) ?? []).map((a) => a.trim()).filter(Boolean);
}

export function encode(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done({ filename: file.name, content: reader.result.slice(reader.result.indexOf(",") + 1), content_type: file.type || undefined });
    reader.onerror = () => failed(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

// explained says what a person can do about a refusal, where the answer says what a program can.
export function explained(failure) {
  if (failure.code === "draft_changed") return "Somebody else, or another tab, has changed this draft meanwhile.";
  if (failure.code === "draft_sent") return html`This draft was sent meanwhile, from another tab or by a program. ${failure.sent ? html`<a href=${to("outbox", failure.sent)}>The sent message</a>` : nothing}`;
  if (orphaned(failure)) return "The message that this is about was deleted meanwhile. Send once more, and it leaves as one of its own.";
  if (failure.code !== "recipient_suppressed") return failure.message;
  return html`${failure.message.split(";")[0]}: mail to it bounced, or its owner complained. If it is right, take it off the <a href=${to("suppressions")}>suppressions</a> first.`;
}

// sentWord says what became of a message that was sent.
export function sentWord(answer) { return answer.status === "held" ? "It waits for a person's approval." : "Sent."; }

// undo calls a message of a mailbox back that has not left; what is its name in a sentence.
export function undo(id, mailbox, what) {
  return async () => {
    try {
      await ask("POST", "email/cancel", { query: { id, mailbox } });
      say(`${what} was called back.`);
      dispatchEvent(new CustomEvent("mk-canceled", { detail: id }));
    } catch (e) {
      say(e.message, "bad");
    }
  };
}
