// An attachment, shown without letting it do anything. A picture is drawn again from its pixels: what else is in the file
// does not reach the page. Of a document its text is shown, page by page.

import { html, nothing } from "../vendor/lit.js";
import { bytes } from "../app/api.js";
import { clean, cleanText, count } from "../app/format.js";
import { Page, View } from "./view.js";

const kinds = /^image\/(png|jpe?g|gif|webp)$/i;
const largest = 10_000_000; // bytes of a picture
const pixels = 40_000_000; // of a picture: hostile ones are huge
const side = 1200; // pixels that are shown
const longest = 60_000; // characters of a page

// pictured tells whether an attachment can be shown as a picture.
export function pictured(a) { return a.downloadable && kinds.test(a.content_type) && a.size_bytes <= largest; }

class Preview extends Page {
  static properties = { file: { attribute: false }, mailbox: {}, size: { state: true } };

  async fetch() {
    const blob = await (await bytes("attachment", { id: this.file.id, mailbox: this.mailbox })).blob();
    const said = dimensions(new DataView(await blob.slice(0, 512 * 1024).arrayBuffer()));
    if (!said || said[0] * said[1] > pixels) throw new Error(said ? `It says that it is ${said[0]} by ${said[1]} pixels: too large to be shown.` : "This is not a picture that can be shown.");
    const scale = Math.min(1, side / Math.max(...said));
    const [width, height] = said.map((n) => Math.max(1, Math.round(n * scale)));
    const picture = await createImageBitmap(new Blob([blob], { type: this.file.content_type }), { resizeWidth: width, resizeHeight: height }).catch(() => { throw new Error("This picture is damaged."); });
    this.size = said;
    this.ready = true;
    await this.updateComplete;
    const canvas = this.querySelector("canvas");
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    picture.close();
    this.setAttribute("shown", this.file.id);
  }

  render() {
    return this.failure ? html`<p class="note plain" role="status">${this.failure.message}</p>` : super.render();
  }

  content() {
    return html`<figure class="preview"><canvas role="img" aria-label="Picture ${clean(this.file.filename)}"></canvas>
      <figcaption class="soft">${this.size[0]} × ${this.size[1]} pixels, drawn again</figcaption></figure>`;
  }
}
customElements.define("mk-preview", Preview);

// dimensions reads how large a picture says it is; null: it is none of those we show.
function dimensions(v) {
  const text = (at, n) => (at + n <= v.byteLength ? String.fromCharCode(...new Uint8Array(v.buffer, at, n)) : "");
  if (v.byteLength < 30) return null;
  if (text(1, 3) === "PNG") return [v.getUint32(16), v.getUint32(20)];
  if (text(0, 4) === "GIF8") return [v.getUint16(6, true), v.getUint16(8, true)];
  if (text(0, 4) === "RIFF" && text(8, 4) === "WEBP") {
    if (text(12, 4) === "VP8X") return [1 + (v.getUint32(24, true) & 0xffffff), 1 + (v.getUint32(26, true) >>> 8)];
    if (text(12, 4) === "VP8L") return [1 + (v.getUint32(21, true) & 0x3fff), 1 + ((v.getUint32(21, true) >>> 14) & 0x3fff)];
    return [v.getUint16(26, true) & 0x3fff, v.getUint16(28, true) & 0x3fff];
  }
  if (v.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < v.byteLength && v.getUint8(at) === 0xff; at += 2 + v.getUint16(at + 2)) {
    const mark = v.getUint8(at + 1);
    if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) return [v.getUint16(at + 7), v.getUint16(at + 5)];
  }
  return null;
}

class Pages extends Page {
  static properties = { text: {}, name: {}, at: { state: true } };

  constructor() {
    super();
    this.at = 0;
  }

  // pages are those that the document has, or pieces where a page is too long.
  get pages() {
    return (this.text ?? "").split("\f").flatMap((page) => (page.length > longest ? page.match(new RegExp(`[^]{1,${longest}}`, "g")) : [page]));
  }

  content() {
    const all = this.pages;
    const at = Math.min(this.at, all.length - 1);
    const turn = (by) => () => { this.at = at + by; };
    return html`${all.length > 1 ? html`<p class="row"><button class="small" ?disabled=${at === 0} @click=${turn(-1)}>Page before</button>
        <span role="status">Page ${count(at + 1)} of ${count(all.length)}</span><button class="small" ?disabled=${at === all.length - 1} @click=${turn(1)}>Next page</button></p>` : nothing}
      <pre class="text" dir="auto" tabindex="0" aria-label="Text of ${clean(this.name)}">${cleanText(all[at])}</pre>`;
  }
}
customElements.define("mk-pages", Pages);

// Opened draws what is inside only when somebody opens it.
class Opened extends View {
  static properties = { words: {}, inside: { attribute: false }, opened: { state: true } };

  render() {
    return html`<details @toggle=${(e) => { this.opened = e.target.open; }}><summary>${this.words}</summary>${this.opened ? this.inside() : nothing}</details>`;
  }
}
customElements.define("mk-opened", Opened);
