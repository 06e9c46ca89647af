/**
 * A mailbox as tools for OpenAI's SDK, package `openai`.
 *
 * ```ts
 * await openai.chat.completions.runTools({ model, messages, tools: openaiTools(box) }).finalContent();
 * await openai.responses.create({ model, input, tools: openaiResponseTools(box) });
 * ```
 */

import type { Mailbox } from "./mailbox.js";
import { attempt, MailTools, type ObjectSchema, type ToolsOptions } from "./tools.js";

/** A tool that `runTools` calls by itself; `create` takes it, too. */
export interface RunnableTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ObjectSchema;
    parse: (given: string) => object;
    function: (given: object) => Promise<string>;
  };
}

/** For chat completions. */
export function openaiTools(box: Mailbox, options: ToolsOptions = {}): RunnableTool[] {
  return new MailTools(box, options).tools.map((tool) => ({
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      parse: (given) => JSON.parse(given || "{}") as object,
      function: async (given) => JSON.stringify(await attempt(tool, given)),
    },
  }));
}

/** For responses. `new MailTools(box).call(item.name, item.arguments)` does what the model asked for. */
export function openaiResponseTools(
  box: Mailbox,
  options: ToolsOptions = {},
): { type: "function"; name: string; description: string; parameters: ObjectSchema; strict: false }[] {
  return new MailTools(box, options).tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }));
}
