// Links that strangers wrote: each leads to the page that says where it goes.

import { html, nothing } from "../vendor/lit.js";
import { cleanText } from "../app/format.js";
import { root } from "../app/route.js";

const leave = new URL("console/leave", root).href;
const address = /\bhttps?:\/\/[^\s<>"'\u0000-\u0020\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,2000}/gi;
const most = 500; // links of a text

const via = (url) => `${leave}#${encodeURIComponent(url.toWellFormed())}`;

// leaveTo is a button to such an address; nothing, where it is none that can be opened.
export function leaveTo(url, words = "Open") {
  if (!/^(https?|mailto):/i.test(url)) return nothing;
  return html`<a class="button small" target="_blank" rel="noopener noreferrer" href=${via(url)}>${words}</a>`;
}

// linked is a text of several lines with its addresses as links.
export function linked(text) {
  const parts = [];
  let at = 0, n = 0;
  for (const m of text.matchAll(address)) {
    if (n++ === most) break;
    const url = m[0].replace(/[.,;:!?)\]}]+$/, "");
    parts.push(cleanText(text.slice(at, m.index)), html`<a target="_blank" rel="noopener noreferrer" href=${via(url)}>${cleanText(url)}</a>`);
    at = m.index + url.length;
  }
  parts.push(cleanText(text.slice(at)));
  return parts;
}
