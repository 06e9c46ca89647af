// What an empty mailbox shows: how to fill it, and how a program uses it, with the addresses of this deployment.

import { html, nothing } from "../vendor/lit.js";
import { own } from "../app/api.js";
import { clean } from "../app/format.js";
import { root, to } from "../app/route.js";
import { session } from "../app/session.js";
import { copyButton } from "./copy.js";
import { say } from "./toast.js";
import { View } from "./view.js";

const base = root.href.replace(/\/$/, "");

// smtp is where mail is taken, as seen from here; empty: nowhere.
function smtp() {
  const said = document.querySelector("meta[name=smtp]")?.content ?? "";
  const [, host, port] = said.match(/^(.*):(\d+)$/) ?? [];
  if (!port) return "";
  return `${/^(\[::\]|0\.0\.0\.0|)$/.test(host) ? location.hostname : host}:${port}`;
}

// line is a command to copy; a key is never part of what is shown.
const line = (name, text, copied = text) => html`<dt>${name}</dt><dd><pre class="snippet"><code>${text}</code></pre>${copyButton(copied, name)}</dd>`;

class Welcome extends View {
  static properties = { busy: { state: true } };

  render() {
    const box = session.mailbox, at = smtp(), key = session.operator ? "" : session.key;
    const send = async () => {
      if (this.busy) return;
      this.busy = true;
      const t = await own("POST", "mailbox/test-mail").catch((e) => ({ reply: e.message }));
      this.busy = false;
      say(t.ok ? "It is on its way in." : `It was not taken: ${clean(t.reply)}`, t.ok ? "plain" : "bad");
    };
    const environment = (k) => `export MAILKIN_URL=${base} MAILKIN_API_KEY=${k}`;
    return html`<div class="welcome"><h2>No mail yet</h2><p>Mail to <strong><bdi>${box}</bdi></strong> appears here at the moment it arrives.</p>
      ${at && /^[\w.+@-]+$/.test(box) ? html`<section class="card"><h3>Fill it</h3><p>Any program that sends by SMTP to <code>${at}</code> reaches it. In a shell:</p>
        ${session.manages ? html`<p><button class="primary" ?disabled=${this.busy} @click=${send}>Send me a test mail</button> <span class="soft">through the same door</span></p>` : nothing}
        <dl class="ways">${line("Test mail", `printf 'From: me@example.com\\nTo: ${box}\\nSubject: Hello\\n\\nYour code is 482915.\\n' |
  curl -sS smtp://${at} --mail-from me@example.com --mail-rcpt '${box}' -T -`)}</dl></section>` : nothing}
      <section class="card"><h3>Use it from a program</h3>
        <p>${key ? "The buttons copy the key of this session, too; it is not shown." : html`A key for the agent is made on the page <a href=${to("keys")}>Keys</a>.`}</p>
        <dl class="ways">${line("Environment", environment("mk_…"), environment(key || "mk_…"))}
          ${line("curl", `curl -H "Authorization: Bearer $MAILKIN_API_KEY" "$MAILKIN_URL/v1/code?timeout=25"`)}
          ${line("Python", "pip install mailkin\npython -c 'from mailkin import Mailkin; print(Mailkin().open_mailbox().wait_for_code())'")}
          ${line("TypeScript", "npm install @mailkin/client\n// (await new Mailkin().openMailbox()).waitForCode()")}
          ${line("MCP", JSON.stringify({ mcpServers: { mailkin: { url: `${base}/mcp`, headers: { Authorization: "Bearer mk_…" } } } }),
            JSON.stringify({ mcpServers: { mailkin: { url: `${base}/mcp`, headers: { Authorization: `Bearer ${key || "mk_…"}` } } } }))}</dl>
        <p><a href=${`${base}/docs`}>Every route, with samples, to try with this key</a></p></section></div>`;
  }
}
customElements.define("mk-welcome", Welcome);
