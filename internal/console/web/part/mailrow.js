// A message as a row of a list.

import { html, nothing } from "../vendor/lit.js";
import { clean, moment, person, statusKind, subject, when } from "../app/format.js";
import { icon } from "./icon.js";
import { copyButton } from "./copy.js";

export function rowHeight(folder) { return folder === "search" ? 84 : 60; }

const quiet = new Set(["personal", "code", "notification", "newsletter"]); // shown in words only where there is room

const drawn = new Map(); // those drawn last, by their message: the same list is drawn with every frame
const most = 300; // of them

const shared = new Map(); // what many rows have, once
const sharedMost = 5000;

function once(key, value = key) {
  if (!shared.has(key)) {
    if (shared.size >= sharedMost) shared.clear();
    shared.set(key, value);
  }
  return shared.get(key);
}

// slim keeps of a message what its row shows: a list may have hundreds of thousands of them.
export function slim(m) {
  const level = m.trust?.level;
  return { id: m.id, direction: once(m.direction), status: once(m.status), seen: m.seen, from_name: once(m.from_name), from_address: once(m.from_address), to_address: once(m.to_address),
    subject: once(m.subject), snippet: once(m.snippet), code: m.code, received_at: m.received_at, has_attachments: m.has_attachments, screening_verdict: once(m.screening_verdict),
    trust: once(`{${level}}`, { level }), labels: once(`[${m.labels.join()}]`, m.labels), highlights: m.highlights };
}

// mailRow draws a message; chosen is null where messages cannot be chosen.
export function mailRow(m, { folder, open, href, chosen = null, choose }) {
  const made = drawn.get(m);
  const as = `${folder} ${open} ${chosen} ${href} ${new Date().toDateString()}`;
  if (made?.as === as) return made.row;
  const row = draw(m, { folder, open, href, chosen, choose });
  if (drawn.size >= most) drawn.clear();
  drawn.set(m, { as, row });
  return row;
}

function draw(m, { folder, open, href, chosen, choose }) {
  const out = m.direction === "outbound";
  return html`<article class="mailrow ${m.seen || out ? "" : "unseen"} ${open ? "open" : ""} ${chosen ? "chosen" : ""}">
    ${chosen === null ? nothing : html`<input type="checkbox" class="pick" aria-label="Choose ${subject(m.subject)}" .checked=${chosen} @click=${(e) => { e.preventDefault(); const range = e.shiftKey; setTimeout(() => choose(range)); }}>`}
    <a href=${href} aria-current=${open ? "true" : nothing}>
      <span class="line1"><bdi class="from">${out ? `To ${clean(m.to_address)}` : person(m.from_name, m.from_address)}</bdi>
        <time datetime=${m.received_at} title=${moment(m.received_at)}>${when(m.received_at)}</time></span>
      <span class="line2"><bdi class="subject">${m.seen || out ? nothing : html`<span class="offscreen">Not seen. </span>`}${subject(m.subject)}</bdi>
        ${folder === "search" ? nothing : html`<bdi class="snippet">${clean(m.snippet)}</bdi>`}
        ${m.has_attachments ? html`<span title="Has attachments">${icon("clip")}<span class="offscreen">Has attachments.</span></span>` : nothing}
        ${m.trust?.level === "suspicious" ? html`<span class="badge bad">suspicious</span>` : nothing}
        ${m.screening_verdict && m.screening_verdict !== "clean" ? html`<span class="badge ${statusKind(m.screening_verdict)}" title="It tries to give orders to a model that reads it">${m.screening_verdict}</span>` : nothing}
        ${m.labels.filter((l) => !quiet.has(l) && l !== "suspicious").slice(0, 2).map((l) => html`<span class="badge plain">${clean(l)}</span>`)}
        ${out ? html`<span class="badge ${statusKind(m.status)}">${m.status.replaceAll("_", " ")}</span>` : nothing}</span>
      ${folder === "search" ? html`<span class="line3">${found(m)}</span>` : nothing}</a>
    ${m.code && folder !== "search" ? html`<span class="chip"><code>${clean(m.code)}</code>${copyButton(m.code, "Code")}</span>` : nothing}
  </article>`;
}

const before = 24; // characters before the first that was found

// found is the piece of a message that fits best, with what was searched for marked.
function found(m) {
  const best = m.highlights.find((h) => h.field !== "subject") ?? m.highlights[0];
  if (!best) return html`<bdi>${clean(m.snippet)}</bdi>`;
  const text = Array.from(best.text); // spans count characters
  const parts = [];
  let at = Math.max(0, (best.spans[0]?.[0] ?? 0) - before);
  if (at > 0) parts.push("…");
  for (const [from, end] of best.spans) {
    parts.push(clean(text.slice(at, from).join("")), html`<mark>${clean(text.slice(from, end).join(""))}</mark>`);
    at = end;
  }
  parts.push(clean(text.slice(at).join("")));
  return html`<span class="soft">${clean(best.field)}:</span> <bdi>${parts}</bdi>`;
}
