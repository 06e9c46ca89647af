/** What is used of `@langchain/core/tools`, so that this package builds without it. */

export class DynamicStructuredTool {
  constructor(made: {
    name: string;
    description: string;
    schema: object;
    func: (given: object, runs?: unknown, config?: { signal?: AbortSignal }) => Promise<string>;
  });
}
