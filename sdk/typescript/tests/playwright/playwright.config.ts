import type { MailkinFixtures, MailkinWorkerFixtures } from "@mailkin/playwright";
import { defineConfig } from "@playwright/test";

export default defineConfig<MailkinFixtures, MailkinWorkerFixtures>({
  testDir: process.env["SPECS"] ?? ".",
  outputDir: "results",
  globalSetup: process.env["MAILKIN_TEST_SERVER"] ? [] : "@mailkin/playwright/global-setup",
  fullyParallel: true,
  workers: Number(process.env["WORKERS"] ?? 1),
  reporter: "json",
  use: { launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] }, bypassCSP: true, mailkinServer: undefined },
});
