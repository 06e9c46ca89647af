/**
 * A mailbox as tools for LangChain.js and LangGraph.js. It needs the package `@langchain/core`.
 *
 * ```ts
 * const agent = createAgent({ model, tools: langchainTools(box) });
 * ```
 */

import { DynamicStructuredTool } from "@langchain/core/tools";

import type { Mailbox } from "./mailbox.js";
import { attempt, MailTools, type ToolsOptions } from "./tools.js";

/** The tools of a mailbox. */
export function langchainTools(box: Mailbox, options: ToolsOptions = {}): DynamicStructuredTool[] {
  return new MailTools(box, options).tools.map(
    (tool) =>
      new DynamicStructuredTool({
        name: tool.name,
        description: tool.description,
        schema: tool.parameters,
        func: async (given: object, _: unknown, config?: { signal?: AbortSignal }): Promise<string> =>
          JSON.stringify(await attempt(tool, given, config?.signal)),
      }),
  );
}
