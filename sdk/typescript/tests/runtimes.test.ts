/**
 * The README's first minute, a stream of events and files, in Node and wherever else the client is to run. Bun and Deno
 * are too large to bring for every run of the tests: `make runtimes` does.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { scripted, server } from "./support.js";

const modules = process.env["MAILKIN_TEST_RUNTIMES"] ?? "";
const runtimes: [string, string, string[]][] = [
  ["Node", process.execPath, []],
  ["Bun", join(modules, `@oven/bun-${process.platform}-${process.arch}`, "bin", "bun"), ["run"]],
  ["Deno", join(modules, `@deno/${process.platform}-${process.arch}-glibc`, "deno"), [
    "run", "--allow-all", "--no-lock", "--node-modules-dir=manual",
  ]],
];
const folder = mkdtempSync(join(import.meta.dirname, "runtime-"));
const readme = readFileSync(join(import.meta.dirname, "..", "client", "README.md"), "utf8");
const [, first] = /```ts\n(.*?)```/s.exec(readme)!;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const REST = `
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { Mailkin } from "@mailkin/client";

const client = new Mailkin();
const box = await client.openMailbox();
const draft = await client.createDraft({ to: box.address, subject: "A file", text: "See the file." });
writeFileSync("a.bin", new Uint8Array(300_000).fill(7));
await client.attachToDraft(draft.id, { file: { name: "a.bin", content: createReadStream("a.bin") } });
await client.sendDraft(draft.id);
const events = client.events({ types: "message.received" });
for await (const event of events) {
  console.log(event.subject);
  break;
}
const email = await box.waitForMessage({ has: "attachment", timeout: 60 });
console.log(await client.attachment({ id: email.attachments[0].id }).save("b.bin"), readFileSync("b.bin")[299_999]);
await box.waitForCode({ timeout: 600, signal: AbortSignal.timeout(50) }).catch((e) => console.log(e.name));
let tries = 0;
const count = (input, init) => (tries++, fetch(input, init));
const gone = new Mailkin({ baseUrl: process.env.GONE, fetch: count, maxRetries: 1 });
await gone.createMailbox({ name: "wren" }).catch((e) => console.log(e.name, tries)); // it was never sent
`;

async function run(program: string, arguments_: string[], name: string, source: string, env: object): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, source);
  const own = { ...process.env, MAILKIN_URL: server.url, MAILKIN_API_KEY: "", NODE_OPTIONS: "", ...env };
  const child = spawn(program, [...arguments_, file], { cwd: folder, env: own });
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  await new Promise((done) => child.on("close", done));
  return said;
}

describe.each(runtimes)("%s", (_, program, arguments_) => {
  test.runIf(existsSync(program))("the first minute", async () => {
    const source = first!.replace("127.0.0.1:1025", server.smtp);
    expect(await run(program, arguments_, "first.mjs", source, {})).toBe("482915\n");
  });

  test.runIf(existsSync(program))("a stream, files, and a server that is gone", async () => {
    const { apiKey } = await server.newMailbox();
    const { url } = await (async () => {
      await using gone = await scripted(() => undefined);
      return gone;
    })();
    const said = await run(program, arguments_, "rest.mjs", REST, { MAILKIN_API_KEY: apiKey, GONE: url });
    expect(said).toBe("A file\n300000 7\nTimeoutError\nAPIConnectionError 2\n");
  });
});
