/**
 * A mailbox as tools for the Vercel AI SDK. It needs the package `ai`, version 5 or newer.
 *
 * ```ts
 * const { text } = await generateText({ model, tools: aiTools(box), stopWhen: stepCountIs(10), prompt });
 * ```
 */

import { jsonSchema, tool, type ToolSet } from "ai";

import type { Mailbox } from "./mailbox.js";
import { attempt, MailTools, type ToolsOptions } from "./tools.js";

/** The tools of a mailbox, by their names. */
export function aiTools(box: Mailbox, options: ToolsOptions = {}): ToolSet {
  const made = new MailTools(box, options).tools.map((one): [string, ToolSet[string]] => [
    one.name,
    tool({
      description: one.description,
      inputSchema: jsonSchema<Record<string, unknown>>(one.parameters),
      execute: (given: Record<string, unknown>, { abortSignal }: { abortSignal?: AbortSignal }): Promise<unknown> =>
        attempt(one, given, abortSignal),
    }),
  ]);
  return Object.fromEntries(made);
}
