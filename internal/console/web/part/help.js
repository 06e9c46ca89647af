// The list of keys.

import { html } from "../vendor/lit.js";
import { keys } from "../app/keyboard.js";
import { View } from "./view.js";

class Help extends View {
  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", () => this.querySelector("dialog")?.close());
  }

  open() { this.querySelector("dialog").showModal(); }

  render() {
    return html`<dialog class="help" aria-labelledby="keys"><form method="dialog">
      <h2 id="keys">Keys</h2>
      <dl>${keys.map(([key, what]) => html`<div><dt>${key.split(" ").filter(Boolean).map((k) => html`<kbd>${k}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
      <div class="row end"><button class="primary">Close</button></div></form></dialog>`;
  }
}
customElements.define("mk-help", Help);
