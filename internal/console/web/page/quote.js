// What a message that is written is made of: what it quotes, and its text as HTML.

import { cleanText, moment, person } from "../app/format.js";
import { pieces } from "./thread.js";

const mostQuoted = 20_000; // characters

// quoted is a message as an answer to it quotes it.
export function quoted(m) {
  const text = cleanText(m.body_text.slice(0, mostQuoted)).trimEnd();
  return `On ${moment(m.received_at)}, ${person(m.from_name, m.from_address)} wrote:\n${text.split(/\r?\n/).map((l) => (l.startsWith(">") ? `>${l}` : `> ${l}`)).join("\n")}\n`;
}

// designed is a text as HTML: its paragraphs, its links, and what it quotes.
export function designed(text) {
  const safe = (s) => s.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const lines = (ls) => ls.map((l) => safe(l).replace(/https?:\/\/[^\s&<]+(?:&amp;[^\s&<]+)*/g, (u) => `<a href="${u}">${u}</a>`)).join("<br>\n");
  return pieces(text).flatMap((p) => (p.quote ? [`<blockquote>${lines(p.lines.map((l) => l.replace(/^\s*> ?/, "")))}</blockquote>`]
    : p.lines.join("\n").trim().split(/\n{2,}/).map((one) => `<p>${lines(one.split("\n"))}</p>`))).join("\n");
}
