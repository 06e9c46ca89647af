// Everything can be done with the keyboard. A page that has rows or a message answers to the events "move", "open" and
// "do"; keys that are typed into a field are left alone.

import { pageOf } from "./pages.js";
import { go, route } from "./route.js";
import { session } from "./session.js";

export const keys = [
  ["/", "Search"],
  ["j  k", "Next row, previous row"],
  ["Enter", "Open the row"],
  ["x", "Choose the row, for several at once"],
  ["u", "Back to the list"],
  ["b", "Open another mailbox, for the operator"],
  ["c", "Compose"],
  ["r  a  f", "Reply, reply to all, forward"],
  ["e", "Mark as not seen"],
  ["#", "Delete the message"],
  ["g i", "Go to the inbox"],
  ["g t", "Go to the conversations"],
  ["g o", "Go to the outbox"],
  ["g r", "Go to the reviews"],
  ["g m", "Go to the mailboxes, or the mailbox"],
  ["g e", "Go to the events"],
  ["g l", "Go to the activity of all mailboxes"],
  ["g s", "Go to the statistics"],
  ["g w", "Go to the webhooks"],
  ["g d", "Go to the domains"],
  ["g k", "Go to the keys"],
  ["?", "This list"],
];

const places = { i: "inbox", t: "threads", o: "outbox", r: "reviews", e: "events", l: "activity", s: "stats", w: "webhooks", d: "domains", k: "keys", a: "audit", u: "suppressions" };
const deeds = { x: "choose", r: "reply", a: "all", f: "forward", e: "unseen", u: "back", "#": "delete" };

const pause = 5000; // milliseconds without a key, after which keys are shortcuts again though a form could not be loaded

let typed = 0; // when a key was kept for a form
let left = 0; // when the person did something else than typing
let lost = 0; // when the message of an answer was found to be deleted

const asked = () => ["reply", "all", "forward"].some((kind) => route.params.get(kind));
const fresh = (at) => at > left && Date.now() - Math.max(at, typed) < pause;

export function keyboard(shell) {
  let going = 0; // when g was pressed
  addEventListener("click", () => { left = Date.now(); }, true);
  addEventListener("mk-gone", () => { if (asked()) lost = Date.now(); });
  const pressed = (e) => {
    const field = e.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (field) {
      if (e.key === "Escape") field.blur();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || !session.me || document.querySelector("dialog[open]")) return;
    const page = awaited();
    if (page || fresh(lost)) return early(page ?? { early: "", contains: () => false }, e);
    const writing = document.querySelector("main form, main mk-compose"); // what is typed is meant for it
    if (writing && !writing.failure) return;
    if (going && Date.now() - going < 1500) {
      going = 0;
      const name = e.key === "m" ? (session.operator ? "mailboxes" : "mailbox") : places[e.key];
      if (name && pageOf(name)) {
        e.preventDefault();
        go(name);
      }
      return;
    }
    going = 0;
    if (press(shell, e.key)) e.preventDefault();
    else if (e.key === "g") going = Date.now();
  };
  let taken = false; // the last key was a shortcut, or kept for a form
  addEventListener("keydown", (e) => { pressed(e); taken = e.defaultPrevented; });
  // The letter of a key comes after it, when the form that the key opened may be there and have the focus.
  addEventListener("keypress", (e) => { if (taken) e.preventDefault(); });
}

// awaited is the page with the form that was asked for and is not there: it loads, or could not be loaded a moment ago.
function awaited() {
  const page = document.querySelector("main mk-compose") ?? (asked() && document.querySelector("main mk-message"));
  if (!page?.failure) return page && !page.ready ? page : null;
  return fresh(page.failure.at) ? page : null;
}

// early keeps what is typed while a message that is to be written still loads, or could not be loaded.
function early(page, e) {
  if (e.key === "Escape") left = Date.now();
  if (page.failure && page.contains(e.target)) return; // at the button that loads it again
  const between = !page.failure && !e.repeat && !e.shiftKey && { Tab: "\t", Enter: "\n" }[e.key]; // fields, and lines
  if (between || e.key.length === 1) page.early += between || e.key;
  else if (e.key === "Backspace") page.early = page.early.slice(0, -1);
  else return;
  typed = Date.now();
  e.preventDefault();
}

function press(shell, key) {
  const page = [...shell.querySelectorAll("main > *")].find((e) => e.move);
  switch (key) {
    case "/":
      shell.querySelector("#search")?.select();
      return true;
    case "?":
      shell.querySelector("mk-help").open();
      return true;
    case "b":
      if (session.operator) shell.querySelector("mk-switcher").open();
      return true;
    case "c":
      if (pageOf("compose")) go("compose");
      return true;
    case "j":
    case "k":
      page?.move(key === "j" ? 1 : -1);
      return true;
  }
  if (deeds[key] && page?.deed) {
    page.deed(deeds[key]);
    return true;
  }
  return false;
}
