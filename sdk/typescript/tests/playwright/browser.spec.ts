/** The client in a page: its files as they are published, with no bundler. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

import { expect, test } from "@mailkin/playwright";

const folder = join(dirname(createRequire(import.meta.url).resolve("@mailkin/client/package.json")), "dist", "esm");

test("a code, an event and a file in a page", async ({ page, mailbox, mailkin }) => {
  await page.route("**/sdk/*", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: readFileSync(join(folder, basename(new URL(route.request().url()).pathname))),
    }),
  );
  await page.goto(mailkin.url + "/health");
  await mailkin.mail(mailbox.address, "Sign in", "Your verification code is 482915.");
  const seen = await page.evaluate(
    async ({ url, apiKey, address, mark }) => {
      const path = "/sdk/index.js";
      const sdk = (await import(path)) as typeof import("@mailkin/client");
      const client = new sdk.Mailkin({ baseUrl: url, apiKey });
      const box = new sdk.Mailbox(client, address, mark);
      const code = await box.waitForCodeDetails({ timeout: 20 });
      const raw = await client.rawEmail({ id: code.id }).text();
      for await (const event of client.events({ types: "message.received" })) {
        return [code.code, event.subject, raw.includes("Subject: Sign in")];
      }
      return [];
    },
    { url: mailkin.url, apiKey: mailbox.apiKey, address: mailbox.address, mark: mailbox.mark },
  );
  expect(seen).toEqual(["482915", "Sign in", true]);
});
