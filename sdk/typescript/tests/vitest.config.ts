import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.test.ts"],
    exclude: [],
    globalSetup: "setup.ts",
    env: { MAILKIN_URL: "", MAILKIN_API_KEY: "", HOME: "/nonexistent", XDG_CONFIG_HOME: "" },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 3,
  },
});
