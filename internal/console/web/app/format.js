// How things are written. Everything that strangers wrote and that stands on one line goes through clean.

const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

// clean shows characters that nobody sees, or that turn the direction of others, as what they are.
export function clean(text) {
  return (text ?? "").replace(hidden, (c) => {
    if (c === "\n" || c === "\r" || c === "\t" || c === "\f") return " ";
    if (c === "\u200d" || c === "\u200c") return c; // part of writing some languages, and of emoji
    return `⟨${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

export const longest = 500; // characters that are searched for

// sought is what a person types to find something, without what no list holds.
export function sought(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim().slice(0, longest).toWellFormed();
}

// cleanText is clean for a text of several lines.
export function cleanText(text) {
  return (text ?? "").replace(hidden, (c) => (c === "\n" || c === "\r" || c === "\t" ? c : clean(c)));
}

export function person(name, address) {
  return clean(name) || clean(address) || "(no sender)";
}

export function subject(text) {
  return clean(text) || "(no subject)";
}

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const whole = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

// when is a time in as few characters as tell it.
export function when(iso) {
  if (!iso) return "";
  const t = new Date(iso);
  const now = new Date();
  if (t.toDateString() === now.toDateString()) return clock.format(t);
  return (t.getFullYear() === now.getFullYear() ? day : dayAndYear).format(t);
}

export function moment(iso) {
  return iso ? whole.format(new Date(iso)) : "never";
}

// longer is a number of days in words that one can picture.
function longer(days) {
  return days < 100 ? `${Math.round(days)} days` : days < 730 ? `${Math.round(days / 30.44)} months` : `${Math.round(days / 365.25)} years`;
}

// ago is how long something is past, or how far ahead.
export function ago(iso) {
  if (!iso) return "never";
  const seconds = Math.round((Date.now() - new Date(iso)) / 1000);
  const past = seconds >= 0;
  const s = Math.abs(seconds);
  const text = s < 60 ? `${s} s` : s < 3600 ? `${Math.round(s / 60)} min` : s < 172800 ? `${Math.round(s / 3600)} h` : longer(s / 86400);
  return past ? `${text} ago` : `in ${text}`;
}

export function bytesOf(n) {
  if (n < 1000) return `${n} B`;
  for (const [unit, size] of [["KB", 1e3], ["MB", 1e6], ["GB", 1e9]]) {
    if (n < size * 999.5 || unit === "GB") return `${(n / size).toFixed(n < size * 10 ? 1 : 0)} ${unit}`;
  }
}

export function count(n) {
  return (n ?? 0).toLocaleString();
}

export function plural(n, one, many = one + "s") {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// statusKind is the colour of a state.
export function statusKind(status) {
  return {
    active: "good", delivered: "good", dns_verified: "good", verified: "good", clean: "good", pass: "good", received: "plain",
    scheduled: "plain", canceled: "plain", queued: "plain", sent: "plain", captured: "plain", pending: "plain", none: "plain", unverified: "plain", held: "warn", on_hold: "warn", approved: "good", rejected: "bad", expired: "warn", delivery_delayed: "warn",
    paused: "warn", lapsed: "bad", flagged: "warn", suspicious: "bad", dangerous: "bad", bounced: "bad", failed: "bad", fail: "bad", complained: "bad",
  }[status] ?? "plain";
}
