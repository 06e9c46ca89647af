/** Playwright's fixture: with many workers and a server of the global set-up, and in a browser. */

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { expect, inject, test } from "vitest";

import { code, scripted, server } from "./support.js";

const here = join(import.meta.dirname, "playwright");
const cli = join(dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")), "cli.js");

interface Report {
  stats: { expected: number; unexpected: number; skipped: number };
}

async function playwright(arguments_: string[], env: Record<string, string>): Promise<Report> {
  const { NODE_OPTIONS: _, VITEST: __, ...own } = process.env;
  const child = spawn(process.execPath, [cli, "test", ...arguments_], { cwd: here, env: { ...own, ...env } });
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  await new Promise((done) => child.on("close", done));
  expect(child.exitCode, said).toBe(0);
  return JSON.parse(said.slice(said.indexOf("{"))) as Report;
}

test("16 workers", async () => {
  const { stats } = await playwright(["mailbox"], { WORKERS: "16" });
  expect(stats).toMatchObject({ expected: 33, unexpected: 0, skipped: 0 });
});

const FORMS = `<!doctype html><title>Shop</title>
<form method="post" action="/sign-up"><label>E-mail <input name="email"></label><button>Sign up</button></form>`;
const CONFIRM = `<!doctype html><title>Shop</title>
<form method="post" action="/confirm"><label>Code <input name="code"></label><button>Confirm</button></form>`;

test("the example of a sign-up, and the client itself, in a browser", async () => {
  await using shop = await scripted(async ({ url, body, response }) => {
    const given = new URLSearchParams(body.toString());
    response.setHeader("Content-Type", "text/html");
    if (url.pathname === "/sign-up") {
      await server.mail(given.get("email")!, "Your code", code(482915));
      response.end(CONFIRM);
    } else if (url.pathname === "/confirm") {
      response.end(given.get("code") === "482915" ? "<p>Welcome</p>" : "<p>Wrong code</p>");
    } else {
      response.end(FORMS);
    }
  });
  const env = { MAILKIN_TEST_SERVER: JSON.stringify(inject("server")), SHOP_URL: shop.url, SPECS: "../.." };
  const { stats } = await playwright(["/examples/sign-up.spec", "/playwright/browser.spec"], env);
  expect(stats).toMatchObject({ expected: 2, unexpected: 0, skipped: 0 });
});
