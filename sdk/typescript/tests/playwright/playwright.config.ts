import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: process.env["SPECS"] ?? ".",
  outputDir: "results",
  globalSetup: process.env["MAILKIN_TEST_SERVER"] ? [] : "@mailkin/playwright/global-setup",
  fullyParallel: true,
  workers: Number(process.env["WORKERS"] ?? 1),
  reporter: "json",
  use: { launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] }, bypassCSP: true },
});
