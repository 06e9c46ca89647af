/**
 * A mailbox as tools for Mastra. It needs the package `@mastra/core`, version 1 or newer.
 *
 * ```ts
 * const agent = new Agent({ id: "clerk", name: "Clerk", instructions, model, tools: mastraTools(box) });
 * ```
 */

import { createTool } from "@mastra/core/tools";

import type { Mailbox } from "./mailbox.js";
import { attempt, MailTools, type ToolsOptions } from "./tools.js";

/** The tools of a mailbox, by their names. */
export function mastraTools(box: Mailbox, options: ToolsOptions = {}): Record<string, ReturnType<typeof createTool>> {
  const made = new MailTools(box, options).tools.map((tool) =>
    createTool({
      id: tool.name,
      description: tool.description,
      inputSchema: tool.parameters,
      execute: (given: object, context?: { abortSignal?: AbortSignal }): Promise<unknown> =>
        attempt(tool, given, context?.abortSignal),
    }),
  );
  return Object.fromEntries(made.map((tool) => [tool.id, tool]));
}
