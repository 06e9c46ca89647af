/** Where the server is and whose key is used. */

import { MailkinError } from "./errors.js";
import { files, variable } from "./runtime.js";

export interface MailkinOptions {
  /** Of a mailbox, or the operator's token; else MAILKIN_API_KEY, else that of the command's profile. */
  apiKey?: string | undefined;
  /** Of the server; else MAILKIN_URL, else that of the profile, else http://127.0.0.1:8025. */
  baseUrl?: string | undefined;
  /** Seconds that one answer may take, besides what a call is told to wait; else 30. */
  timeout?: number | undefined;
  /** How often a request is made again that failed, where that is safe; else 3. */
  maxRetries?: number | undefined;
  /** Makes the requests, with proxies, certificates and limits of yours; else `fetch`. */
  fetch?: typeof fetch | undefined;
}

const DEFAULT_URL = "http://127.0.0.1:8025";

/** As given, from the environment, or as the command `mailkin` has it. */
export class Settings {
  readonly baseUrl: string;
  readonly #apiKey: string | undefined; // so that it is not in what is logged
  readonly timeout: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;

  constructor(options: MailkinOptions) {
    const kept = profile();
    const url = options.baseUrl || variable("MAILKIN_URL") || kept["url"] || DEFAULT_URL;
    this.baseUrl = url.replace(/\/+$/, "");
    if (!/^https?:\/\/[^/]/.test(this.baseUrl)) {
      const said = JSON.stringify(url);
      throw new MailkinError(`The address of the server is no URL: ${said}. It begins with http(s)://.`);
    }
    let key = options.apiKey ?? variable("MAILKIN_API_KEY");
    if (key === undefined && this.baseUrl === (kept["url"] ?? DEFAULT_URL).replace(/\/+$/, "")) {
      key = kept["api_key"]; // a key goes to the server that it is for, and to no other
    }
    this.#apiKey = key?.trim() || undefined; // as it comes from a file
    if (this.#apiKey !== undefined && !/^[!-~]+$/.test(this.#apiKey)) {
      throw new MailkinError("The key is none: it has other characters than a key has.");
    }
    this.timeout = options.timeout ?? 30;
    this.maxRetries = options.maxRetries ?? 3;
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  get apiKey(): string | undefined {
    return this.#apiKey;
  }

  /** Options that give the same, whatever the environment says. */
  options(): MailkinOptions {
    const { baseUrl, apiKey = "", timeout, maxRetries, fetch } = this;
    return { baseUrl, apiKey, timeout, maxRetries, fetch };
  }
}

/** The profile that the command line keeps: lines of `name = "value"`. */
function profile(): Record<string, string> {
  const fs = files();
  const own = variable("XDG_CONFIG_HOME") ?? "";
  const folder = own.startsWith("/") ? own : `${variable("HOME") ?? variable("USERPROFILE") ?? ""}/.config`;
  if (fs === undefined) {
    return {};
  }
  try {
    const said = fs.readFileSync(`${folder}/mailkin/config.toml`, "utf8");
    return Object.fromEntries(
      Array.from(said.matchAll(/^\s*(\w+)\s*=\s*"([^"\\]*)"\s*$/gm), ([, name, value]) => [name, value]),
    ) as Record<string, string>;
  } catch {
    return {};
  }
}
