// Notices of the browser about new mail, where a person asked for them in this tab.

import { clean, person, subject } from "../app/format.js";
import { live } from "../app/live.js";
import { open, to } from "../app/route.js";

const slot = "mailkin.notify";

// possible tells whether the browser has them: only over a secure connection, or on this machine.
export const possible = () => "Notification" in window && isSecureContext;
export const wanted = () => possible() && Notification.permission === "granted" && sessionStorage.getItem(slot) === "on";

// ask turns them on, if the person lets us; off otherwise.
export async function ask(on) {
  if (on && (await Notification.requestPermission()) !== "granted") return false;
  sessionStorage.setItem(slot, on ? "on" : "off");
  live.attentive = on;
  return on;
}

live.attentive = wanted();
live.addEventListener("mail", ({ detail: e }) => {
  if (e.event !== "message.received" || document.hasFocus() || !wanted()) return;
  const notice = new Notification(person("", e.from), { body: e.code ? `${subject(e.subject)} · ${clean(e.code)}` : subject(e.subject), tag: e.email_id });
  notice.onclick = () => { window.focus(); open(to("inbox", e.email_id)); notice.close(); };
});
