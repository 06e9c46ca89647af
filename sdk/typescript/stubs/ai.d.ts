/** What is used of `ai`, so that this package builds without it. */

export interface Tool {
  description?: string;
}

export type ToolSet = Record<string, Tool>;

export function jsonSchema<T>(schema: unknown): { readonly type: T };

export function tool<T>(made: {
  description: string;
  inputSchema: { readonly type: T };
  execute: (given: T, options: { abortSignal?: AbortSignal }) => Promise<unknown>;
}): Tool;
