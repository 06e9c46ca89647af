/** Just enough of SMTP to send test mail to a server of one's own. */

import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

import { randomHex } from "./content.js";
import { MailkinError } from "./errors.js";

export interface TestMail {
  to: readonly string[];
  subject: string;
  text: string;
  html?: string | undefined;
  from?: string | undefined;
  attachments: readonly { name: string; content: Uint8Array }[];
  headers?: Record<string, string> | undefined;
}

/** Deliver a message, and return once the server has taken it. */
export async function deliver(address: string, mail: TestMail): Promise<void> {
  const colon = address.lastIndexOf(":");
  const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
  socket.setTimeout(30_000, () => socket.destroy(new MailkinError("The server does not answer over SMTP.")));
  try {
    await once(socket, "connect");
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const expect = async (code: number): Promise<void> => {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) {
          throw new MailkinError("The server hung up.");
        }
        if (value.startsWith(code + "-")) {
          continue; // more of it follows
        }
        if (value.startsWith(code + " ")) {
          return;
        }
        throw new MailkinError(`The server refused: ${value}`);
      }
    };
    const say = async (line: string, code: number): Promise<void> => {
      socket.write(line + "\r\n");
      await expect(code);
    };
    await expect(220);
    await say("EHLO test.invalid", 250);
    await say("MAIL FROM:<bounces@example.com>", 250);
    for (const to of mail.to) {
      await say(`RCPT TO:<${to}>`, 250);
    }
    await say("DATA", 354);
    await say(compose(mail).replace(/^\./gm, "..") + "\r\n.", 250);
    socket.end("QUIT\r\n");
  } finally {
    socket.destroySoon();
  }
}

function compose(mail: TestMail): string {
  const headers = {
    From: mail.from ?? "Ada <ada@example.com>",
    To: mail.to.join(", "),
    Subject: mail.subject,
    Date: new Date().toUTCString().replace("GMT", "+0000"),
    "Message-ID": `<${randomHex(12)}@example.com>`,
    "MIME-Version": "1.0",
    ...mail.headers,
  };
  let body = part("text/plain; charset=utf-8", new TextEncoder().encode(mail.text));
  if (mail.html !== undefined) {
    body = several("alternative", [body, part("text/html; charset=utf-8", new TextEncoder().encode(mail.html))]);
  }
  if (mail.attachments.length > 0) {
    const files = mail.attachments.map(({ name, content }) =>
      part("application/octet-stream", content, `Content-Disposition: attachment; filename="${name}"\r\n`),
    );
    body = several("mixed", [body, ...files]);
  }
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("") + body;
}

function part(type: string, content: Uint8Array, more = ""): string {
  const lines = Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n");
  return `Content-Type: ${type}\r\n${more}Content-Transfer-Encoding: base64\r\n\r\n${lines}`;
}

function several(kind: string, parts: readonly string[]): string {
  const boundary = "b-" + randomHex(12);
  const each = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join("");
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${each}--${boundary}--`;
}
