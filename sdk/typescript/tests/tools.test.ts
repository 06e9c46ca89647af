/** Tools for models: their schemas, that they do what they say, and that libraries take them. */

import { DynamicStructuredTool } from "@langchain/core/tools";
import { generateText, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { beforeAll, expect, expectTypeOf, test } from "vitest";

import type { Mailbox } from "@mailkin/client";
import { aiTools } from "@mailkin/client/ai";
import { langchainTools } from "@mailkin/client/langchain";
import { openaiResponseTools, openaiTools } from "@mailkin/client/openai";
import { MailTools } from "@mailkin/client/tools";
import { server } from "./support.js";

let box: Mailbox;

beforeAll(async () => {
  box = await server.newMailbox();
  await server.mail(box.address, "Sign in", "Your code is 482915, or open https://example.com/verify?t=1");
});

test("schemas", () => {
  const tools = new MailTools(box);
  const names = tools.openai().map((t) => t.function.name);
  expect(tools.anthropic().map((t) => t.name)).toEqual(names);
  expect(openaiResponseTools(box).map((t) => t.name)).toEqual(names);
  expect(Object.keys(aiTools(box))).toEqual(names);
  expect(langchainTools(box).map((t) => t.name)).toEqual(names);
  expect(names).toContain("mail_send");
  expect(new MailTools(box, { sending: false }).tools.map((t) => t.name)).not.toContain("mail_send");
  for (const { description, input_schema: schema } of tools.anthropic()) {
    expect(description).toBeTruthy();
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(schema.required));
  }
});

test("calls", async () => {
  const tools = new MailTools(box);
  const call = async (name: string, given?: string | object) => JSON.parse(await tools.call(name, given));
  expect(await call("mail_address")).toEqual({ address: box.address });
  expect((await call("mail_wait_for_code", '{"timeout": 20}')).code).toBe("482915");
  expect((await call("mail_wait_for_link", { from: "ada", timeout: 20 })).url).toBe("https://example.com/verify?t=1");
  const message = await call("mail_wait_for_message", { subject: "sign", timeout: 20 });
  expect(message).toMatchObject({ code: "482915", trust: expect.anything() });
  expect((await call("mail_list", { query: "code" })).map((m: { subject: string }) => m.subject)).toEqual(["Sign in"]);
  expect((await call("mail_read", { id: message.id })).text).toContain("Your code");
  expect((await call("mail_reply", { id: message.id, text: "Thanks." })).id).toBeTruthy();
  expect((await call("mail_send", { to: ["b@example.com"], subject: "Hi", text: "Hello." })).id).toBeTruthy();
  expect(await call("mail_address", "null")).toEqual({ address: box.address });
  const wrong: [string, string | object][] = [
    ["mail_read", {}], ["mail_read", { id: "x", y: 1 }], ["mail_read", "{"], ["other", {}],
    ["mail_read", { id: "019cb7d1-0000-7000-8000-000000000000" }],
  ];
  for (const [name, given] of wrong) {
    expect((await call(name, given)).error, name).toBeTruthy();
  }
});

test("a signal ends them", async () => {
  const signal = (): AbortSignal => AbortSignal.timeout(50);
  const given = { from: "nobody", timeout: 600 };
  await expect(new MailTools(box).call("mail_wait_for_code", given, { signal: signal() })).rejects.toThrow(/timeout/);
  const { execute } = aiTools(box)["mail_wait_for_link"]!;
  const options = { toolCallId: "1", messages: [], abortSignal: signal() };
  await expect(execute!({ from: "nobody", timeout: 600 }, options as never)).rejects.toThrow(/timeout/);
  const tool = langchainTools(box).find(({ name }) => name === "mail_wait_for_message")!;
  await expect(tool.func({ from: "nobody", timeout: 600 }, undefined, { signal: signal() })).rejects.toThrow(/timeout/);
});

test("OpenAI's runner calls them", async () => {
  const [{ function: tool }] = openaiTools(box) as [ReturnType<typeof openaiTools>[0]];
  expect(JSON.parse(await tool.function(tool.parse("{}")))).toEqual({ address: box.address });
});

test("the Vercel AI SDK calls them", async () => {
  expectTypeOf(aiTools(box)).toExtend<ToolSet>();
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const asks = { type: "tool-call", toolCallId: "1", toolName: "mail_list", input: '{"limit":5}' } as const;
  const answers = [
    { content: [asks], finishReason: { unified: "tool-calls" }, usage, warnings: [] },
    { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" }, usage, warnings: [] },
  ] as const;
  let n = 0;
  const model = new MockLanguageModelV3({ doGenerate: async () => structuredClone(answers[n++]!) as never });
  const result = await generateText({ model, tools: aiTools(box), stopWhen: stepCountIs(3), prompt: "Any mail?" });
  expect(result.text).toBe("Done.");
  expect(JSON.stringify(result.steps[0]!.toolResults)).toContain("Sign in");
});

test("LangChain calls them", async () => {
  const tools = langchainTools(box);
  expectTypeOf(tools).toEqualTypeOf<DynamicStructuredTool[]>();
  const list = tools.find((tool) => tool.name === "mail_list")!;
  expect(await list.invoke({ limit: 5 })).toContain("Sign in");
  await expect(list.invoke({ limit: "many" })).rejects.toThrow();
});
