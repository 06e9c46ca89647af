/**
 * A mailbox for each test of Playwright.
 *
 * ```ts
 * import { expect, test } from "@mailkin/playwright";
 *
 * test("sign-up", async ({ page, mailbox }) => {
 *   await page.goto("/sign-up");
 *   await page.getByLabel("E-mail").fill(mailbox.address);
 *   await page.getByRole("button", { name: "Sign up" }).click();
 *   await page.getByLabel("Code").fill(await mailbox.code());
 * });
 * ```
 *
 * The server is the one that `mailkinServer` names; else that of the global set-up
 * (`@mailkin/playwright/global-setup`); else that of MAILKIN_URL; else each worker starts one.
 */

import { type Fixtures, test as base } from "@playwright/test";

import { type Addresses, Server, ServerConnection } from "@mailkin/client/server";
import { SERVER } from "./global-setup.js";
import { TestMailbox } from "./mailbox.js";

export { expect } from "@playwright/test";
export { TestMailbox } from "./mailbox.js";

export interface MailkinFixtures {
  /** A new mailbox, of this test alone. Where the test fails, what came to it is attached to the report. */
  mailbox: TestMailbox;
}

export interface MailkinWorkerFixtures {
  /** The server: its `url`, where it takes mail (`smtp`), `client()`, `newMailbox()` and `mail()`. */
  mailkin: ServerConnection;
  /** Where the server is: its address, or more of it. Without a `token` mailboxes are temporary and cannot send. */
  mailkinServer: string | Addresses | undefined;
}

/** The fixtures alone, for `test.extend` of a `test` of yours. */
export const mailkinFixtures: Fixtures<MailkinFixtures, MailkinWorkerFixtures> = {
  mailkinServer: [undefined, { option: true, scope: "worker" }],

  mailkin: [
    async ({ mailkinServer }, use) => {
      const given = mailkinServer ?? named();
      if (given !== undefined) {
        await use(new ServerConnection(typeof given === "string" ? { url: given } : given));
        return;
      }
      const server = await Server.start();
      try {
        await use(server);
      } finally {
        await server.stop();
      }
    },
    { scope: "worker" },
  ],

  mailbox: async ({ mailkin }, use, info) => {
    const { client, address, mark, made } = await mailkin.newMailbox();
    await use(new TestMailbox(client, address, mark, made));
    if (info.status !== info.expectedStatus) {
      const came = await client.inbox({ limit: 50, mailbox: address }).page();
      const body = JSON.stringify(came.emails, undefined, 2);
      await info.attach("mailbox", { body, contentType: "application/json" });
    }
  },
};

/** Playwright's `test`, with a `mailbox`. */
export const test = base.extend<MailkinFixtures, MailkinWorkerFixtures>(mailkinFixtures);

/** The server that the environment names. */
function named(): string | Addresses | undefined {
  const shared = process.env[SERVER];
  return shared ? (JSON.parse(shared) as Addresses) : process.env["MAILKIN_URL"] || undefined;
}
