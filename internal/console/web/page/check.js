// For those who test the mail that they send: at which widths it is shown how, its source and text, which features not every
// mail program has, and its links.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { bytesOf, clean, cleanText, plural } from "../app/format.js";
import { copyButton } from "../part/copy.js";
import { linked } from "../part/linked.js";
import { Page, badge } from "../part/view.js";

const widths = [[360, "Phone"], [768, "Tablet"], [1024, "Desktop"], [0, "As wide as here"]];
const longest = 200_000; // characters of a source that are shown

class Check extends Page {
  static properties = { mail: { attribute: false }, answer: { state: true }, width: { state: true }, tangled: { state: true } };

  constructor() {
    super();
    this.width = 360;
  }

  async fetch() { this.answer = await own("GET", "email/check", { query: { id: this.mail.id } }); }

  content() {
    const c = this.answer, m = this.mail;
    return html`<div class="mailcheck">${m.body_html && !this.tangled ? html`<section><h3>At the width of a device</h3>
        <div class="segments" role="group" aria-label="Width">${widths.map(([n, text]) => html`<button aria-pressed=${n === this.width} @click=${() => { this.width = n; }}>${text}${n ? ` ${n}` : ""}</button>`)}</div>
        <div class="device scroll" tabindex="0" role="region" aria-label="The message at this width"><div .style=${this.width ? `width:${this.width}px` : ""}><mk-mailframe .mail=${m} @failed=${() => { this.tangled = true; }}></mk-mailframe></div></div></section>` : nothing}
      <section><h3>What mail programs show</h3>${c.html ? html`
        <p>${badge(c.supported >= 90 ? "good" : c.supported >= 70 ? "held" : "failed", `${c.supported} % shown`)} <span class="soft">${c.partial} % in part, ${c.unsupported} % not; ${plural(c.elements, "element")}, ${plural(c.tests, "feature")} looked for. By a coarse table: a hint, not a measurement.</span></p>
        ${c.features.length ? html`<div class="scroll card" tabindex="0" role="region" aria-label="Features"><table><thead><tr><th>Feature</th><th>Used</th>${c.features[0].programs.map((p) => html`<th>${p.name}</th>`)}</tr></thead><tbody>
          ${c.features.map((f) => html`<tr><td><strong>${f.title}</strong><br><span class="soft">${f.advice}</span></td><td>${f.found}</td>${f.programs.map((p) => html`<td>${badge({ yes: "good", partial: "held", no: "failed" }[p.support], p.support)}</td>`)}</tr>`)}</tbody></table></div>`
          : html`<p class="soft">It uses nothing that one of them leaves out.</p>`}` : html`<p class="soft">It has no HTML: every program shows its text.</p>`}</section>
      <section><h3>${plural(c.links.length, "link")}</h3>${c.links.length ? html`<ul class="rows">${c.links.map((l) => html`<li><div class="row"><span class="badge plain">${l.in}</span>${l.valid ? nothing : badge("failed", "not an address")}
        <code class="url"><bdi>${clean(l.url).slice(0, 600)}</bdi></code></div></li>`)}</ul><p class="soft">None was followed.</p>` : nothing}</section>
      ${m.body_html ? html`<section><details><summary>Source, ${bytesOf(m.body_html.length)}</summary>${copyButton(m.body_html, "Source", "Copy")}<pre class="raw" tabindex="0" aria-label="Source">${cleanText(m.body_html.slice(0, longest))}</pre></details></section>` : nothing}
      <section><details><summary>Text, ${bytesOf(m.body_text.length)}</summary><pre class="text" dir="auto" tabindex="0" aria-label="Text">${linked(m.body_text.slice(0, longest))}</pre></details></section></div>`;
  }
}
customElements.define("mk-check", Check);
