/** The helper for runners of tests, as tests elsewhere use it. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";

import { Server } from "@mailkin/client/server";
import { useMailkin } from "@mailkin/client/testing";

const mail = useMailkin({ beforeAll, beforeEach, afterAll }, { server: inject("server") });
let first = "";

test("a mailbox, and what came to it", async () => {
  first = mail.mailbox.address;
  await mail.expectNoMessage(0.1);
  await mail.server.mail(first, "Welcome");
  expect((await mail.expectMessage({ subject: "welcome" })).from_name).toBe("Ada");
});

test("each test has one of its own", async () => {
  expect(mail.mailbox.address).not.toBe(first);
  await mail.expectNoMessage(0.1);
});

const PROJECT = `
import { after, before, beforeEach, test } from "node:test";
import { useMailkin } from "@mailkin/client/testing";

const mail = useMailkin({ before, beforeEach, after });

test("fine", async () => {
  await mail.server.mail(mail.mailbox.address, "Welcome");
  await mail.expectMessage({ subject: "Welcome" });
});
test("says what came", async () => {
  await mail.server.mail(mail.mailbox.address, "Something else", "Your verification code is 482915.");
  await mail.expectMessage({ subject: "Welcome", timeout: 0.2 });
});
test("says what should not have come", async () => {
  await mail.server.mail(mail.mailbox.address, "A surprise", "Here I am.");
  await mail.expectNoMessage(0.1);
});
`;

test("with node:test, a server of its own, and failures that say what came", () => {
  const file = join(import.meta.dirname, "project.test.mjs");
  writeFileSync(file, PROJECT);
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], { env, encoding: "utf8" });
  expect(stdout).toContain("# pass 1\n");
  expect(stdout).toContain("# fail 2\n");
  const said = ['No message subject="Welcome" came to t-', '"Something else" from ada@example.com', "code 482915",
    "A message came to t-", '"A surprise" from', "Here I am."];
  for (const part of said) {
    expect(stdout.replaceAll('\\"', '"')).toContain(part);
  }
});

const JEST = `
const { useMailkin } = require("@mailkin/client/testing");

const mail = useMailkin();

test("fine", async () => {
  await mail.server.mail(mail.mailbox.address, "Welcome", "Your verification code is 482915.");
  expect(await mail.mailbox.waitForCode({ timeout: 4 })).toBe("482915");
  expect((await mail.expectMessage({ subject: "Welcome" })).from_name).toBe("Ada");
});
test("says what came, before Jest gives up", async () => {
  await mail.server.mail(mail.mailbox.address, "Something else");
  await mail.expectMessage({ subject: "Welcome" });
});
`;

// `make runtimes` brings Jest.
const jest = join(process.env["MAILKIN_TEST_RUNTIMES"] ?? "", "jest", "bin", "jest.js");

test.runIf(process.env["MAILKIN_TEST_RUNTIMES"])("with Jest", () => {
  const folder = mkdtempSync(join(import.meta.dirname, "jest-"));
  writeFileSync(join(folder, "package.json"), '{"jest":{"testMatch":["**/*.cjs"],"transform":{}}}');
  writeFileSync(join(folder, "project.cjs"), JEST);
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const { stderr } = spawnSync(process.execPath, [jest, "--no-cache"], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toContain("Tests:       1 failed, 1 passed, 2 total");
  expect(stderr).toContain('No message subject="Welcome" came to t-');
  expect(stderr).toContain('"Something else" from ada@example.com');
  expect(stderr).not.toContain("did not exit");
});

test("programs that are not there, and programs beside the tests", async () => {
  vi.stubEnv("TMPDIR", mkdtempSync(join(tmpdir(), "mailkin-tests-")));
  await expect(Server.start({ binary: "./nonexistent" })).rejects.toThrow('There is no program "./nonexistent"');
  await expect(Server.start({ binary: "nonexistent" })).rejects.toThrow('There is no program "nonexistent"');
  expect(readdirSync(tmpdir())).toEqual([]);
  vi.unstubAllEnvs();
  await using own = await Server.start({ binary: relative(process.cwd(), process.env["MAILKIN_BINARY"]!) });
  expect((await own.client().health()).status).toBe("ok");
});

test("without hooks it says what is missing", () => {
  expect(() => useMailkin({})).toThrow("beforeAll");
});
