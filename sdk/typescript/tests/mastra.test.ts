/**
 * Tools for Mastra, whose package is too large to bring for this: a stand-in has the one function that is used. They
 * were tried by hand with `@mastra/core` 1.71.0.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

import { server } from "./support.js";

const client = dirname(createRequire(import.meta.url).resolve("@mailkin/client/package.json"));
const core = join(client, "node_modules", "@mastra", "core");

afterAll(() => {
  rmSync(core, { recursive: true });
});

test("each is made with its schema, and does what it says", async () => {
  mkdirSync(core, { recursive: true });
  writeFileSync(join(core, "package.json"), '{"type":"module","exports":{"./tools":"./tools.js"}}');
  writeFileSync(join(core, "tools.js"), "export const createTool = (made) => made;");
  const { mastraTools } = await import("@mailkin/client/mastra");
  const box = await server.newMailbox();
  const { mail_address: tool } = mastraTools(box) as unknown as Record<
    string,
    { id: string; inputSchema: { type: string }; execute: (given: object) => Promise<unknown> }
  >;
  expect([tool!.id, tool!.inputSchema.type]).toEqual(["mail_address", "object"]);
  expect(await tool!.execute({})).toEqual({ address: box.address });
});
