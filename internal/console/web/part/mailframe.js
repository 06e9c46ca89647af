// Mail that is HTML. It is shown in a frame inside a frame: the outer one is an empty document of ours, whose policy lets
// nothing in but styles and pictures that are part of the mail; the inner one has no origin, runs no script and sends no form.
// That is what holds. Before that the mail is put in order: pictures that came with it are put in, links lead to a page that
// says where they go, and what could only do harm is left out.

import { html } from "../vendor/lit.js";
import { bytes } from "../app/api.js";
import { root } from "../app/route.js";
import { View } from "./view.js";

const harmful = "script, iframe, frame, frameset, object, embed, applet, base, link, meta, form, input, button, select, textarea, " +
  "audio, video, source, track, portal, dialog, template, noscript, math, foreignObject, use, animate, set, animateTransform, animateMotion";
const pictures = 30; // that came with the mail
const largest = 5_000_000; // all of them together, in bytes

class MailFrame extends View {
  static properties = { mail: { attribute: false, hasChanged: (a, b) => a?.id !== b?.id || a?.body_html !== b?.body_html }, remote: { type: Boolean } };

  willUpdate(changed) {
    if (changed.has("mail") || changed.has("remote")) this.turn = (this.turn ?? 0) + 1;
  }

  async #fill(outer) {
    const turn = this.turn;
    const { text, withheld } = await prepare(this.mail, this.remote, outer.contentWindow).catch(() => ({}));
    if (turn !== this.turn) return;
    if (text === undefined) return this.dispatchEvent(new Event("failed")); // the message shows its text instead
    const page = outer.contentDocument;
    if (!page?.body) return;
    const inner = page.createElement("iframe");
    inner.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox"); // a click may open the page that warns
    inner.setAttribute("referrerpolicy", "no-referrer");
    inner.title = "Mail";
    inner.addEventListener("load", () => { if (turn === this.turn) this.setAttribute("shown", this.mail.id); });
    inner.srcdoc = text;
    page.body.replaceChildren(inner);
    this.dispatchEvent(new CustomEvent("shown", { detail: withheld }));
  }

  render() {
    const src = new URL(this.remote ? "console/frame/remote" : "console/frame", root).href;
    return html`<iframe class="mailframe" title="The message as its sender designed it" src=${src} @load=${(e) => this.#fill(e.target)}></iframe>`;
  }

  updated(changed) {
    const frame = this.querySelector("iframe");
    if (changed.has("mail") && changed.get("mail") && frame.contentDocument?.readyState === "complete") this.#fill(frame);
  }
}
customElements.define("mk-mailframe", MailFrame);

const elsewhere = /url\(\s{0,9}["']?\s{0,9}(https?:)?\/\//i; // in a style

// prepare makes the document of the inner frame, and says whether the mail asks for something from elsewhere.
// The parser is that of the outer frame, so that what it reads is under that frame's policy and never under the console's own.
async function prepare(mail, remote, frame) {
  const page = parse(mail.body_html, frame);
  for (const e of page.querySelectorAll(harmful)) e.remove();
  for (const e of page.querySelectorAll("a, area")) relink(e);
  for (const e of page.querySelectorAll("*")) {
    for (const name of e.getAttributeNames()) {
      if (name.startsWith("on") || name === "srcdoc" || name === "ping" || name === "srcset" || name === "autofocus") e.removeAttribute(name);
    }
  }
  let withheld = elsewhere.test(mail.body_html);
  if (!remote) for (const e of page.querySelectorAll("img, image, [background]")) withheld = withhold(e) || withheld;
  await putIn(page, mail);
  const style = page.createElement("style");
  style.textContent = "html { background: #fff; } body { margin: 12px; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; overflow-wrap: anywhere; } img { max-width: 100%; height: auto; }";
  page.head.prepend(style);
  const policy = page.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `default-src 'none'; style-src 'unsafe-inline'; img-src data:${remote ? " https:" : ""}; form-action 'none'; base-uri 'none'`;
  page.head.prepend(policy);
  return { text: "<!doctype html>" + page.documentElement.outerHTML, withheld };
}

// relink makes a link lead to the page that says where it goes.
function relink(e) {
  const href = e.getAttribute("href") ?? e.getAttribute("xlink:href");
  e.removeAttribute("href");
  e.removeAttribute("xlink:href");
  e.removeAttribute("download");
  if (!href || !/^\s*(https?|mailto):/i.test(href)) return; // others do nothing
  e.setAttribute("href", new URL("console/leave", root).href + "#" + encodeURIComponent(href.trim().slice(0, 8000).toWellFormed()));
  e.setAttribute("target", "_blank");
  e.setAttribute("rel", "noopener noreferrer");
  e.setAttribute("title", href.trim().slice(0, 300));
}

// withhold keeps a picture from being asked for, so that nothing has to be refused.
function withhold(e) {
  let any = false;
  for (const name of ["src", "href", "xlink:href", "background"]) {
    const value = e.getAttribute(name);
    if (value === null || /^\s*(cid|data):/i.test(value)) continue;
    e.removeAttribute(name);
    any ||= /^\s*(https?:)?\/\//i.test(value);
  }
  return any;
}

// putIn puts in the pictures that came with the mail.
async function putIn(page, mail) {
  const wanted = new Map();
  let size = 0;
  for (const e of page.querySelectorAll("img[src]")) {
    const cid = e.getAttribute("src").match(/^\s*cid:(.+)$/i)?.[1];
    if (!cid) continue;
    e.removeAttribute("src");
    const part = mail.attachments.find((a) => a.content_id && a.content_id.replace(/[<>]/g, "") === decode(cid) && /^image\/(png|jpe?g|gif|webp|bmp|avif)$/i.test(a.content_type));
    if (!part?.downloadable) continue;
    if (!wanted.has(part)) {
      size += part.size_bytes;
      if (wanted.size === pictures || size > largest) continue;
      wanted.set(part, []);
    }
    wanted.get(part).push(e);
  }
  await Promise.all([...wanted].map(async ([part, places]) => {
    const url = await picture(part, mail.mailbox).catch(() => "");
    if (url) for (const e of places) e.setAttribute("src", url);
  }));
}

function decode(cid) {
  try {
    return decodeURIComponent(cid.trim());
  } catch {
    return cid.trim();
  }
}

async function picture(part, mailbox) {
  const blob = await (await bytes("attachment", { id: part.id, mailbox })).blob();
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(new Blob([blob], { type: part.content_type }));
  });
}

const deepest = 400; // elements in elements: more than any honest mail has, and few enough for a browser
const most = 100_000; // elements
const piece = 250; // characters
const mostOfPiece = 1000; // elements: many times as many as so few characters can name

// parse reads a mail, which runs and loads nothing. It is read in pieces, to stop when it turns out to keep the browser busy: its
// elements are too many or nested too deeply, or a piece makes more of them than it can name, because letters that are left open
// are created again in every block. What the parser has made is the only measure that a mail cannot deceive.
function parse(text, frame) {
  const page = frame.document.implementation.createHTMLDocument("");
  const made = page.getElementsByTagName("*");
  page.open();
  for (let at = 0, before = 0; at < text.length; at += piece) {
    page.write(text.slice(at, at + piece));
    const now = made.length;
    if (now > most || now - before > mostOfPiece || depth(page) > deepest) throw new Error("too much for a browser");
    before = now;
  }
  page.close();
  return page;
}

// depth is that of the element that was made last.
function depth(page) {
  let n = 0;
  for (let e = page.documentElement; e; e = e.lastElementChild) n++;
  return n;
}
