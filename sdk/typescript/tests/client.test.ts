/** The client against the real server: settings, answers, lists, files, errors. */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, openAsBlob, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, expectTypeOf, test, vi } from "vitest";

import {
  APIConnectionError,
  AuthenticationError,
  InvalidRequestError,
  Mailkin,
  MailkinError,
  type models,
  NotFoundError,
  VERSION,
} from "@mailkin/client";
import { server } from "./support.js";

const missing = "019cb7d1-0000-7000-8000-000000000000";
const folder = mkdtempSync(join(tmpdir(), "mailkin-tests-"));
const installed = dirname(createRequire(import.meta.url).resolve("@mailkin/client/package.json"));

describe("settings", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("given, environment, profile", () => {
    vi.stubEnv("HOME", folder);
    const seen = (): unknown[] => [new Mailkin().baseUrl, new Mailkin().apiKey];
    expect(seen()).toEqual(["http://127.0.0.1:8025", undefined]);
    mkdirSync(join(folder, ".config", "mailkin"), { recursive: true });
    writeFileSync(
      join(folder, ".config", "mailkin", "config.toml"),
      '# Written by mailkin.\nurl = "http://one.test/"\napi_key = "mk_one"\nmailbox = "a@one.test"\n',
    );
    expect(seen()).toEqual(["http://one.test", "mk_one"]);
    vi.stubEnv("MAILKIN_URL", "http://two.test");
    expect(seen()).toEqual(["http://two.test", undefined]); // the key is for one.test
    vi.stubEnv("MAILKIN_API_KEY", "mk_two");
    expect(seen()).toEqual(["http://two.test", "mk_two"]);
    const given = new Mailkin({ apiKey: "mk_three", baseUrl: "http://three.test" });
    expect([given.baseUrl, given.apiKey]).toEqual(["http://three.test", "mk_three"]);
    const other = given.withOptions({ apiKey: "mk_four" });
    expect([other.baseUrl, other.apiKey]).toEqual(["http://three.test", "mk_four"]);
    expect(given.withOptions({ apiKey: "" }).withOptions({ timeout: 1 }).apiKey).toBeUndefined(); // not that of others
  });

  test("what is no address, and what is no key", () => {
    for (const baseUrl of ["mail.example.com", "localhost:8025", "ftp://mail.example.com", "https://", " http://x"]) {
      expect(() => new Mailkin({ baseUrl })).toThrow("is no URL");
    }
    for (const apiKey of ["mk_a\nb", "mk_\u00fc", "mk a"]) {
      expect(() => new Mailkin({ apiKey })).toThrow("The key is none");
    }
    expect(new Mailkin({ apiKey: " mk_1\n" }).apiKey).toBe("mk_1"); // as it comes from a file
  });

  test("a fetch of one's own", async () => {
    const seen: Request[] = [];
    const own: typeof fetch = (input, init) => {
      seen.push(new Request(input, init));
      return fetch(input, init);
    };
    await new Mailkin({ baseUrl: server.url, fetch: own }).health();
    expect(seen[0]!.headers.get("User-Agent")).toBe("mailkin-typescript/" + VERSION);
  });
});

test("every operation, and nothing that is none", async () => {
  const document = (await (await fetch(server.url + "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const wanted = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((op) => op.operationId));
  const operations = Object.getPrototypeOf(Mailkin.prototype) as object;
  const methods = Object.getOwnPropertyNames(operations).filter((name) => name !== "constructor");
  expect(methods.sort()).toEqual(wanted.filter((id) => id !== undefined).sort());
});

test("send and read", async () => {
  const { client, address } = await server.newMailbox();
  await server.mail(address, "Hello there", "The tide is out.");
  const message = await client.inbox().first();
  expectTypeOf(message).toEqualTypeOf<models.Message | undefined>();
  expect(message?.subject).toBe("Hello there");
  const email = await client.email({ id: message!.id });
  expect(email.body_text.trim()).toBe("The tide is out.");
  expect(email.trust.level).toBeTypeOf("string");
  const answer = await client.reply({ email_id: email.id, text: "Thank you." });
  expectTypeOf(answer).toEqualTypeOf<models.Sending>();
  expect(answer.id).toBeTruthy();
  const later = await client.send({ to: address, subject: "x", text: "y", send_at: new Date(Date.now() + 3_600_000) });
  expect(later.status).toBe("scheduled");
  const preview = await client.send({ to: address, subject: "x", text: "y", dry_run: true });
  expectTypeOf(preview).toEqualTypeOf<models.Preview>();
  expect(preview.size_bytes).toBeGreaterThan(0);
  expect((await client.me()).mailbox).toBe(address);
});

test("a list pages by itself", async () => {
  const { client, address } = await server.newMailbox();
  for (let n = 0; n < 5; n++) {
    await server.mail(address, `n${n}`);
  }
  const inbox = client.inbox({ limit: 2 });
  const subjects: string[] = [];
  for await (const message of inbox) {
    subjects.push(message.subject);
  }
  expect(subjects).toEqual(["n4", "n3", "n2", "n1", "n0"]);
  const sizes: number[] = [];
  for await (const page of inbox.pages()) {
    sizes.push(page.emails.length);
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect((await inbox.page()).next_cursor).toBeTruthy();
  expect(await inbox.all()).toHaveLength(5);
  expect(await client.inbox({ query: "nowhere" }).first()).toBeUndefined();
});

test("errors are classes", async () => {
  const { client } = await server.newMailbox();
  const failure = await client.email({ id: missing }).catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({ name: "NotFoundError", status: 404, code: "not_found", retryAfter: undefined });
  expect((failure as NotFoundError).requestId).toBeTruthy();
  expect((failure as NotFoundError).message).toContain("Email not found");
  await expect(server.client({ apiKey: "mk_" + "0".repeat(64) }).me()).rejects.toBeInstanceOf(AuthenticationError);
  const invalid = await client.inbox({ since: "tomorrow" }).first().catch((e: unknown) => e);
  expect(invalid).toBeInstanceOf(InvalidRequestError);
  expect((invalid as InvalidRequestError).code).toBe("invalid_since");
  const nobody = new Mailkin({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
  await expect(nobody.health()).rejects.toBeInstanceOf(APIConnectionError);
});

test("files", async () => {
  const { client, address } = await server.newMailbox();
  const content = Buffer.alloc(1 << 20, Uint8Array.from({ length: 256 }, (_, n) => n));
  const path = join(folder, "tide.bin");
  writeFileSync(path, content);
  const draft = await client.createDraft({ to: address, subject: "A file", text: "See the file." });
  await client.attachToDraft(draft.id, { file: new File([await openAsBlob(path)], "tide.bin") });
  await client.attachToDraft(draft.id, { file: { name: "note.txt", content: "hello", type: "text/plain" } });
  await client.attachToDraft(draft.id, { file: { name: "stream.bin", content: createReadStream(path) } });
  const odd = 'Z\u00fcrich "x" (100%).pdf';
  await client.attachToDraft(draft.id, { file: { name: odd, content: await openAsBlob(path) } });
  await client.sendDraft(draft.id);
  const { email } = await client.wait({ timeout: 20, has: "attachment" });
  const id = (name: string): string => email!.attachments.find((a) => a.filename === name)!.id;
  expect(email!.attachments.map((a) => a.filename).sort()).toEqual([odd, "note.txt", "stream.bin", "tide.bin"]);
  expect(await client.attachment({ id: id("tide.bin") }).save(join(folder, "back.bin"))).toBe(content.length);
  expect(readFileSync(join(folder, "back.bin")).equals(content)).toBe(true);
  expect(Buffer.from(await client.attachment({ id: id("stream.bin") }).bytes()).equals(content)).toBe(true);
  expect(await client.attachment({ id: id("note.txt") }).text()).toBe("hello");
  expect(await new Response(client.attachment({ id: id("note.txt") }).stream()).text()).toBe("hello");
  await expect(client.attachment({ id: missing }).bytes()).rejects.toBeInstanceOf(NotFoundError);
  await expect(client.attachment({ id: id("note.txt") }).save(join(folder, "no", "where"))).rejects.toThrow("ENOENT");
  const saved = mkdtempSync(join(folder, "saved-"));
  await expect(client.attachment({ id: missing }).save(join(saved, "x"))).rejects.toBeInstanceOf(NotFoundError);
  const long = join(saved, "x".repeat(255));
  const twice = await Promise.all([1, 2].map(() => client.attachment({ id: id("note.txt") }).save(long)));
  expect([twice, readdirSync(saved), readFileSync(long, "utf8")]).toEqual([[5, 5], ["x".repeat(255)], "hello"]);
  const raw = await client.rawEmail({ id: email!.id }).text();
  const copy = new Blob([raw.replace("A file", "A copy")]);
  await server.client().ingest(copy.stream(), { mailbox: address });
  expect((await client.inbox({ query: "subject:copy" }).first())?.subject).toBe("A copy");
});

test("events, and an end to them", async () => {
  const { client, address } = await server.newMailbox();
  await server.mail(address, "One");
  await server.mail(address, "Two");
  const subjects: string[] = [];
  for await (const event of client.events({ types: "message.received" })) {
    if (subjects.push(event.subject) === 2) {
      break;
    }
  }
  expect(subjects).toEqual(["One", "Two"]);
  const events = client.events();
  const seen: string[] = [];
  for await (const event of events) {
    seen.push(event.subject);
    setTimeout(() => events.close(), 10);
  }
  expect(seen).toEqual(["One", "Two"]);
  const stop = new AbortController();
  const endless = (async () => {
    for await (const _ of client.events({}, { signal: stop.signal })) {
      setTimeout(() => stop.abort(new Error("enough")), 10);
    }
  })();
  await expect(endless).rejects.toThrow("enough");
});

test("a call is aborted at once", async () => {
  const { client } = await server.newMailbox();
  const begun = Date.now();
  await expect(client.code({ timeout: 55 }, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/aborted|timeout/i);
  await expect(client.me({}, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
  expect(Date.now() - begun).toBeLessThan(30_000);
  expect((await client.me()).mailbox).toBeTruthy();
});

test("the package works with import and require, and says its version", async () => {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { version: string };
  expect(VERSION).toBe(version);
  const program = "const m = require('@mailkin/client'); new m.Mailkin({baseUrl: process.argv[1]}).health()"
    + ".then((h) => console.log(h.status, typeof require('@mailkin/client/server').Server))";
  const cwd = import.meta.dirname;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program, server.url], { cwd });
  expect(stdout).toBe("ok function\n");
  expect(new NotFoundError("x", new Response(), {})).toBeInstanceOf(MailkinError);
});

test("compilers that know no exports find the same types", () => {
  const said = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    exports: Record<string, { require: { types: string } }>;
    typesVersions: { "*": Record<string, string[]> };
  };
  const parts = Object.entries(said.exports).filter(([name]) => name !== "." && name !== "./package.json");
  const wanted = parts.map(([name, { require }]) => [name.slice(2), [require.types]]);
  expect(said.typesVersions["*"]).toEqual(Object.fromEntries(wanted));
});

test("what a browser loads imports nothing of Node's", () => {
  const seen = new Set<string>();
  const imports = /^(?:import|export)\b[^"';=()]*"([^"]+)"|\bimport\("([^"]+)"/gm;
  const visit = (file: string): void => {
    if (seen.has(file)) {
      return;
    }
    seen.add(file);
    for (const [, plain, called] of readFileSync(file, "utf8").matchAll(imports)) {
      const from = plain ?? called ?? "";
      expect(from, file).toMatch(/^\.\//);
      visit(join(dirname(file), from));
    }
  };
  visit(join(installed, "dist", "esm", "index.js"));
  expect(seen.size).toBeGreaterThan(10);
});
