/** What is used of `@mastra/core/tools`, so that this package builds without it. */

export function createTool(made: {
  id: string;
  description: string;
  inputSchema: object;
  execute: (given: object, context?: { abortSignal?: AbortSignal }) => Promise<unknown>;
}): { id: string };
