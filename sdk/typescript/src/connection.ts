/** A server for tests that runs somewhere: its clients, its mailboxes, and mail for it. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { Mailkin } from "./client.js";
import { randomHex } from "./content.js";
import { MailkinError } from "./errors.js";
import type { Mailbox } from "./mailbox.js";
import type { MailkinOptions } from "./settings.js";
import { deliver } from "./smtp.js";

/** Where a server is. It can be written as JSON, for other processes. */
export interface Addresses {
  /** Its address. */
  url: string;
  /** Where it takes mail: host and port. */
  smtp?: string | undefined;
  /** The operator's key. Without it mailboxes are temporary and cannot send. */
  token?: string | undefined;
  /** The deployment's WEBHOOK_SECRET. */
  webhookSecret?: string | undefined;
}

/** What can be said of a message that is sent with `mail`. */
export interface MailOptions {
  html?: string | undefined;
  from?: string | undefined;
  /** Paths of files. */
  attachments?: readonly string[] | undefined;
  headers?: Record<string, string> | undefined;
}

/** A server for tests that somebody has started. */
export class ServerConnection {
  /** Where it is. */
  url: string;
  /** Where it takes mail: host and port. */
  smtp: string;
  /** The operator's key. */
  token: string;
  /** The deployment's WEBHOOK_SECRET. */
  webhookSecret: string;

  constructor({ url, smtp = "", token = "", webhookSecret = "" }: Addresses) {
    this.url = url.replace(/\/+$/, "");
    this.smtp = smtp;
    this.token = token;
    this.webhookSecret = webhookSecret;
  }

  /** A client of it, with the operator's key unless another is given. */
  client(options: MailkinOptions = {}): Mailkin {
    return new Mailkin({ apiKey: this.token, baseUrl: this.url, ...options });
  }

  /** A new mailbox, which may also send; its `client` has its key. Without the operator's key it is a temporary one. */
  async newMailbox(name?: string): Promise<Mailbox> {
    const client = this.client();
    if (this.token === "") {
      return client.bootstrap();
    }
    const made = await client.createMailbox({ name: name ?? "t-" + randomHex(10) });
    return client.withOptions({ apiKey: made.api_key }).openMailbox();
  }

  /** Send it mail over SMTP, as anybody would. */
  async mail(
    to: string | readonly string[],
    subject = "Hello",
    text = "Hello.",
    options: MailOptions = {},
  ): Promise<void> {
    if (this.smtp === "") {
      throw new MailkinError("It is not known where this server takes mail.");
    }
    const paths = options.attachments ?? [];
    const attachments = paths.map((path) => ({ name: basename(path), content: readFileSync(path) }));
    const recipients = typeof to === "string" ? [to] : to;
    await deliver(this.smtp, { ...options, to: recipients, subject, text, attachments });
  }
}
