/** What the README and the examples say works. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test, vi } from "vitest";

import type { Mailbox } from "@mailkin/client";
import { scripted, server, type Asked } from "./support.js";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "mailkin-examples-"));
const readme = readFileSync(join(root, "client", "README.md"), "utf8");
const blocks = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), (m) => m[1]!);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

class Running {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(file: string, arguments_: string[], env: Record<string, string>) {
    const own = { ...process.env, MAILKIN_URL: server.url, MAILKIN_API_KEY: "", ...env };
    const stdio = ["ignore", "pipe", "inherit"] as const;
    this.#child = spawn(process.execPath, [file, ...arguments_], { env: own, stdio: [...stdio] });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    return ((await this.#lines.next()).value as string | undefined) ?? "";
  }

  async ended(): Promise<string> {
    let said = "";
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      said += line.value + "\n";
    }
    if (this.#child.exitCode === null) {
      await once(this.#child, "exit");
    }
    expect(this.#child.exitCode).toBe(0);
    return said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
  }
}

function example(name: string, arguments_: string[], env: Record<string, string>): Running {
  return new Running(join(root, "examples-built", name + ".js"), arguments_, env);
}

/** Run a block of the README as a program: there is nothing in it that is TypeScript alone. */
function block(name: string, source: string, env: Record<string, string> = {}): Running {
  const file = join(import.meta.dirname, `readme-${name}.mjs`);
  writeFileSync(file, source);
  return new Running(file, [], env);
}

test("the first minute", async () => {
  const said = await block("first", blocks[0]!.replace("127.0.0.1:1025", server.smtp)).ended();
  expect(said).toBe("482915\n");
});

test("everything else", async () => {
  const box = await server.newMailbox();
  writeFileSync(join(folder, "a.txt"), "hello");
  await server.mail(box.address, "Your invoice", "See the file.", { attachments: [join(folder, "a.txt")] });
  rmSync(join(folder, "a.txt"));
  const everything = blocks.find((one) => one.includes("client.inbox("))!;
  const there = `process.chdir(${JSON.stringify(folder)});\n`;
  const said = await block("rest", there + everything, { MAILKIN_API_KEY: box.apiKey! }).ended();
  expect(said).toBe("Your invoice\n");
});

test("support agent", async () => {
  const [box, customer] = [await server.newMailbox(), await server.newMailbox()];
  const agent = example("support-agent", ["1"], { MAILKIN_API_KEY: box.apiKey! });
  expect(await agent.line()).toBe(`Answering mail to ${box.address}`);
  await customer.client.send({ to: box.address, subject: "My tide table", text: "It is wrong." });
  expect(await agent.ended()).toBe(`Answered ${customer.address}\n`);
  expect((await customer.waitForMessage({ from: box.address, timeout: 30 })).body_text).toContain("My tide table");
});

test("follow-up", async () => {
  const [box, customer] = [await server.newMailbox(), await server.newMailbox()];
  const program = example("follow-up", [customer.address], { MAILKIN_API_KEY: box.apiKey! });
  expect(await program.line()).toBe(`Asked ${customer.address}`);
  const asked = await customer.waitForMessage({ subject: "Your order", timeout: 30 });
  await customer.client.reply({ email_id: asked.id, text: "Yes." });
  expect(await program.ended()).toContain("is called back");
  const sent = await box.client.inbox({ direction: "outbound" }).all();
  expect(sent.map((m) => m.status).sort()).toEqual(["canceled", "delivered"]);
});

test.each(["webhook-receiver", "express-webhook"])("%s", async (name) => {
  const box = await server.newMailbox();
  const { secret } = await box.client.webhookSecret();
  await using receiver = example(name, ["0"], { MAILBOX_SECRET: secret });
  const url = (await receiver.line()).split(" ").at(-1)!;
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  await box.client.changeMailbox({ webhook_url: url });
  await server.mail(box.address, "The tide");
  expect(await receiver.line()).toBe("message.received The tide");
});

/** A genuine webhook of a mailbox, as a request. */
async function posted(box: Mailbox): Promise<Request> {
  let take: (asked: Asked) => void;
  const taken = new Promise<Asked>((done) => (take = done));
  await using receiver = await scripted((asked) => {
    asked.response.writeHead(204).end();
    take(asked);
  });
  await box.client.changeMailbox({ webhook_url: receiver.url });
  await server.mail(box.address, "The tide");
  const { body, request } = await taken;
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith("webhook"));
  const init = { method: "POST", body: new Uint8Array(body), headers: headers as [string, string][] };
  return new Request("http://x.test/hook", init);
}

test("Hono and Next.js", async () => {
  const box = await server.newMailbox();
  const { secret: MAILBOX_SECRET } = await box.client.webhookSecret();
  const request = await posted(box);
  const said: unknown[][] = [];
  vi.spyOn(console, "log").mockImplementation((...line) => void said.push(line));
  const built = join(root, "examples-built");
  const { app } = (await import(join(built, "hono-webhook.js"))) as typeof import("../examples/hono-webhook.js");
  const { POST } = (await import(join(built, "next-route.js"))) as typeof import("../examples/next-route.js");
  expect((await app.fetch(request.clone(), { MAILBOX_SECRET })).status).toBe(401); // of the environment, in Node
  vi.stubEnv("MAILBOX_SECRET", MAILBOX_SECRET);
  expect((await app.fetch(request.clone())).status).toBe(204);
  const forged = new Request(request.url, { method: "POST", body: "{}" });
  expect((await app.fetch(forged.clone())).status).toBe(401);
  expect((await POST(request)).status).toBe(204);
  expect((await POST(forged)).status).toBe(401);
  expect(said).toEqual([["message.received", "The tide"], ["message.received", "The tide"]]);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
