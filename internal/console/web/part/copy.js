// A button that copies.

import { html } from "../vendor/lit.js";
import { icon } from "./icon.js";
import { say } from "./toast.js";

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure connection browsers have no clipboard; the old way still works.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${what} copied.`);
}

export function copyButton(text, what = "Text", words = "") {
  return html`<button type="button" class="small" aria-label="Copy ${what.toLowerCase()}" title="Copy ${what.toLowerCase()}"
    @click=${(e) => { e.preventDefault(); e.stopPropagation(); copy(text, what); }}>${icon("copy")}${words}</button>`;
}
