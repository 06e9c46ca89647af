// What narrows a list, as chips that can be taken away, how many rows fit, and a jump to a day.

import { html, nothing } from "../vendor/lit.js";
import { clean, count, plural } from "../app/format.js";

// chips are [words, how to take it away]; pager says how many rows there are.
export function chips(list, pager) {
  const said = list.filter(([words]) => words);
  const n = pager?.items.length ?? 0;
  if (said.length === 0 && !pager) return nothing;
  return html`<div class="bar chips">${said.map(([words, drop]) => html`<span class="badge chip plain"><bdi>${clean(words)}</bdi><button class="bare" aria-label="Take away ${clean(words)}" @click=${drop}>×</button></span>`)}
    <span class="soft" role="status">${pager ? (pager.done ? plural(n, "message") : `${count(n)} or more messages`) : ""}</span></div>`;
}

// dayOf is the day of a time where the person is, as a field for days has it.
const dayOf = (t) => [t.getFullYear(), t.getMonth() + 1, t.getDate()].map((n) => String(n).padStart(2, "0")).join("-");

// dayJump lets a person begin the list at a day.
export function dayJump(day, change) {
  return html`<input type="date" class="dayjump" aria-label="Go to a day" title="Go to a day" .value=${day} max=${dayOf(new Date())} @change=${(e) => change(e.target.value)}>`;
}

// endOf is the end of a day of this person's; undefined: it is none.
export function endOf(day) {
  const at = new Date(`${day}T23:59:59.999`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !isNaN(at) ? at.toISOString() : undefined;
}
