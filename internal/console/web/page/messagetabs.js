// The ways to look at a message, one function each.

import { html, nothing } from "../vendor/lit.js";
import { bytes } from "../app/api.js";
import { bytesOf, clean } from "../app/format.js";
import { badge, empty } from "../part/view.js";
import { copyButton } from "../part/copy.js";
import { icon } from "../part/icon.js";
import { leaveTo, linked } from "../part/linked.js";
import { pictured } from "../part/preview.js";
import { say } from "../part/toast.js";

const longest = 300_000; // characters of a text that are shown at once

export function text(body) {
  if (!body) return empty("No text", "This message has nothing to read.");
  return html`<pre class="text" dir="auto" tabindex="0" aria-label="Text">${linked(body.slice(0, longest))}</pre>
    ${body.length > longest ? html`<p class="note plain">The rest of ${bytesOf(body.length)} is left out here; Raw has everything.</p>` : nothing}`;
}

// links says of each where it leads and what it is for.
export function links(m) {
  return html`<ul class="rows">${m.links.slice(0, 300).map((l) => html`<li>
    <div class="row">${badge(l.kind === "other" ? "plain" : "active", l.kind)}
      ${l.mismatch ? html`<span class="badge bad">text names another site</span>` : nothing}${doubtful(l.url)}
      <bdi>${clean(l.text).slice(0, 200)}</bdi></div>
    <div class="row"><code class="url"><bdi>${clean(l.url).slice(0, 600)}</bdi></code>${copyButton(l.url, "Link")}${leaveTo(l.url)}</div></li>`)}</ul>`;
}

// doubtful warns of addresses that are not what they look like.
function doubtful(url) {
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    return html`<span class="badge bad">not an address</span>`;
  }
  if (parsed.hostname.includes("xn--")) return html`<span class="badge bad">look-alike letters: ${parsed.hostname}</span>`;
  if (parsed.username) return html`<span class="badge bad">leads to ${parsed.hostname}</span>`;
  if (/^\d+\.\d+\.\d+\.\d+$|^\[/.test(parsed.hostname)) return html`<span class="badge warn">no name, only a number</span>`;
  return parsed.protocol === "http:" ? html`<span class="badge warn">not encrypted</span>` : nothing;
}

export function files(m) {
  return html`<ul class="rows">${m.attachments.map((a) => html`<li class="file">
    <div class="row">${icon("clip")}<strong><bdi>${clean(a.filename)}</bdi></strong><span class="soft">${clean(a.content_type)} · ${bytesOf(a.size_bytes)}</span>
      ${risky(a) ? html`<span class="badge bad">can run a program</span>` : nothing}
      ${a.downloadable ? html`<button class="small" @click=${() => download(a, m.mailbox)}>${icon("down")}Download</button>` : html`<span class="soft">Claim the mailbox to open it</span>`}</div>
    ${pictured(a) ? html`<mk-opened words="Show the picture" .inside=${() => html`<mk-preview .file=${a} mailbox=${m.mailbox}></mk-preview>`}></mk-opened>` : nothing}
    ${a.text_content ? html`<mk-opened words="Text in it" .inside=${() => html`<mk-pages .text=${a.text_content} name=${a.filename}></mk-pages>`}></mk-opened>`
      : a.text_extraction_status === "pending" ? html`<p class="soft">Its text is still being read.</p>` : nothing}
    <p class="soft hash">SHA-256 <code>${a.sha256}</code></p></li>`)}</ul>`;
}

function risky(a) {
  return /\.(exe|scr|bat|cmd|com|pif|msi|js|jse|vbs|vbe|wsf|hta|ps1|jar|lnk|iso|img|apk|dmg|html?|svg|xml|docm|xlsm|pptm)\s*$/i.test(a.filename);
}

async function download(a, mailbox) {
  try {
    const blob = await (await bytes("attachment", { id: a.id, mailbox })).blob();
    keep(new Blob([blob], { type: "application/octet-stream" }), clean(a.filename).replace(/[/\\:*?"<>|]/g, "_"));
  } catch (e) {
    say(e.message, "bad");
  }
}

// keep hands a file to the browser's downloads. It is never shown as a page.
export function keep(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function trust(m) {
  const s = m.screening;
  return html`<div class="trust"><section><h3>Sender ${badge(m.trust.level)}</h3>
      <ul>${m.trust.reasons.map((r) => html`<li>${clean(r)}</li>`)}</ul>
      <dl class="facts">${["spf", "dkim", "dmarc", "arc"].map((k) => html`<dt>${k.toUpperCase()}</dt><dd>${badge(m.auth[k])}</dd>`)}
        <dt>From is aligned</dt><dd>${m.auth.from_aligned ? "yes" : "no"}</dd>
        <dt>Envelope sender</dt><dd class="mono">${clean(m.metadata.envelope_from) || "(empty)"}</dd>
        <dt>Came from</dt><dd class="mono">${clean(m.metadata.remote_addr)} ${clean(m.metadata.helo)} ${clean(m.metadata.protocol)}</dd></dl></section>
    <section><h3>Screening ${badge(s?.verdict ?? "none", s?.verdict ?? "not screened")}</h3>
      ${s?.findings.length ? html`<ul class="rows">${s.findings.map((f) => html`<li><strong>${clean(f.rule)}</strong> <span class="soft">in ${clean(f.layer)}</span>
        <blockquote><bdi>${clean(f.excerpt)}</bdi></blockquote></li>`)}</ul>` : html`<p class="soft">Nothing in it tries to give orders to a model that reads it.</p>`}</section>
    ${m.code_candidates.length > 1 ? html`<section><h3>Codes that were considered</h3><ul>${m.code_candidates.map((c) => html`<li><code>${clean(c.code)}</code> ${clean(c.reason)} <span class="soft">${c.score.toFixed(2)}</span></li>`)}</ul></section>` : nothing}
    ${m.metadata.defects.length ? html`<section><h3>Defects</h3><ul>${m.metadata.defects.map((d) => html`<li>${clean(d)}</li>`)}</ul></section>` : nothing}</div>`;
}

export function headers(m) {
  return html`<dl class="headers">${Object.entries(m.headers).map(([name, value]) => html`<dt>${clean(name)}</dt><dd><bdi>${clean(value.slice(0, 4000))}</bdi></dd>`)}</dl>`;
}
