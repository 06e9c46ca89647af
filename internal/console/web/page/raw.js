// The bytes of a message as they came.

import { html } from "../vendor/lit.js";
import { bytes } from "../app/api.js";
import { bytesOf, cleanText } from "../app/format.js";
import { Page } from "../part/view.js";
import { icon } from "../part/icon.js";
import { keep } from "./messagetabs.js";

const shown = 200_000; // bytes

class Raw extends Page {
  static properties = { mail: { attribute: false }, text: { state: true } };

  async fetch() {
    this.blob = await (await bytes("email/raw", { id: this.mail.id })).blob();
    this.text = new TextDecoder("utf-8").decode(await this.blob.slice(0, shown).arrayBuffer());
  }

  content() {
    return html`<p class="row"><button @click=${() => keep(this.blob, `${this.mail.id}.eml`)}>${icon("down")}Download</button>
      <span class="soft">${bytesOf(this.blob.size)}${this.blob.size > shown ? ", of which the beginning is shown" : ""}</span></p>
      <pre class="raw" tabindex="0" aria-label="Raw message">${cleanText(this.text)}</pre>`;
  }
}
customElements.define("mk-raw", Raw);
