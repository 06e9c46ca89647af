// What a search understands.

import { html } from "../vendor/lit.js";
import { go } from "../app/route.js";
import { View } from "./view.js";

const examples = [
  ["invoice kim", "both words, anywhere"],
  ['"order confirmed"', "the words one after the other"],
  ["invoice -draft", "without a word"],
  ["invoice OR receipt", "one of them"],
  ["from:kim@example.com", "who sent it; also to:"],
  ["subject:(order OR invoice)", "in the subject; also body: filename: filetext:"],
  ["has:code", "also has:attachment has:link"],
  ["is:unseen", "also is:seen in:sent in:inbox label:"],
  ["after:7d", "since; before: a day such as 2026-03-01"],
];

class SearchHelp extends View {
  render() {
    return html`<div class="searchhelp"><h2>What a search understands</h2><dl>
      ${examples.map(([q, what]) => html`<dt><button class="small mono" @click=${() => go("search", "", { q, mode: "keyword" })}>${q}</button></dt><dd>${what}</dd>`)}
      </dl><p class="soft">By words finds what is written, by meaning what is meant, and both puts the best of the two together.</p></div>`;
  }
}
customElements.define("mk-searchhelp", SearchHelp);
