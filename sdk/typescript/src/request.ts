/** What is asked of the server: a request as it is sent, once or again. */

import { type Body, bodyOf, type Content, formOf, randomHex, type Upload } from "./content.js";
import { APIConnectionError, APITimeoutError, MailkinError } from "./errors.js";
import { isProgram } from "./runtime.js";
import type { Settings } from "./settings.js";
import { VERSION } from "./version.js";

/** What can be said of one call, besides what it is about. */
export interface RequestOptions {
  /** Ends the call early: it then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Seconds that one answer may take, besides what the call is told to wait. */
  timeout?: number | undefined;
  /** How often it is made again where it fails and that is safe. */
  maxRetries?: number | undefined;
  /** Where the operation has one: calls with the same key are done once. Without it every call has one of its own. */
  idempotencyKey?: string | undefined;
}

/** Where the parameters of an operation go. */
export interface Parts {
  params?: object;
  /** The names of those in the query; the others are in the body. Without it there is no body. */
  query?: readonly string[];
  /** The headers that parameters become. */
  headers?: Record<string, string>;
  /** A body that is bytes, and their type. */
  message?: Content;
  mediaType?: string;
  /** It takes an Idempotency-Key. */
  keyed?: boolean;
  /** What its answer becomes; else what JSON says. */
  into?: "text" | "nothing";
}

// Answers that say that nothing was done, so that any request may be made again.
export const REFUSED = [429, 503];
// Answers after which nobody knows; what is safe to repeat is made again.
const UNSURE = [408, 500, 502, 504];
// Ways to fail of a request that was never sent: codes of Node and Bun, and what Deno says instead.
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ConnectionRefused"];
const UNSENT_TEXT = /tcp connect error|dns error/;

/** A request as it is sent, once or again. */
export class Outgoing {
  readonly #settings: Settings;
  readonly #url: string;
  readonly #init: RequestInit & { duplex?: "half" };
  readonly #repeatable: boolean;
  readonly #body: Body | undefined;
  /** Seconds that an answer may take. */
  readonly timeout: number;
  readonly maxRetries: number;
  readonly signals: readonly AbortSignal[];

  constructor(
    settings: Settings,
    readonly method: string,
    path: string,
    parts: Parts,
    options: RequestOptions,
    more: Record<string, string> = {},
  ) {
    const sorted = sort(parts);
    const query = sorted.query.toString();
    this.#settings = settings;
    this.#url = settings.baseUrl + path + (query && "?" + query);
    this.#body = bodyFor(parts, sorted.body);
    const headers = new Headers({ Accept: "application/json, */*", ...sorted.headers, ...more });
    if (isProgram()) {
      headers.set("User-Agent", "mailkin-typescript/" + VERSION);
    }
    if (settings.apiKey !== undefined) {
      headers.set("Authorization", "Bearer " + settings.apiKey);
    }
    if (parts.keyed) {
      headers.set("Idempotency-Key", options.idempotencyKey ?? randomHex(16));
    }
    if (this.#body?.type !== undefined) {
      headers.set("Content-Type", this.#body.type);
    }
    this.#init = { method, headers, redirect: "manual" };
    if (this.#body !== undefined) {
      this.#init.body = this.#body.content;
      this.#init.duplex = "half"; // a body that is a stream needs it
    }
    // Of a code that is handed out once the second call would get the next one, and what was deleted already is not
    // found.
    const reads = method === "GET" && sorted.query.get("consume") !== "true";
    this.#repeatable = reads || parts.keyed === true;
    // A waiting call takes as long as it was told to, and the way back.
    this.timeout = (options.timeout ?? settings.timeout) + Number(sorted.query.get("timeout") ?? 0);
    this.maxRetries = options.maxRetries ?? settings.maxRetries;
    this.signals = options.signal === undefined ? [] : [options.signal];
  }

  fetch(signal: AbortSignal): Promise<Response> {
    return this.#settings.fetch(this.#url, { ...this.#init, signal });
  }

  /** Whether it may be made once more after this answer. */
  againAfter(status: number): boolean {
    return this.#canResend() && (REFUSED.includes(status) || (UNSURE.includes(status) && this.#repeatable));
  }

  /** Whether it may be made once more after there was no answer. One that was never sent may be in any case. */
  againWithout(error: unknown): boolean {
    const { code, message } = reasonOf(error);
    return this.#canResend() && (this.#repeatable || UNSENT.includes(code) || UNSENT_TEXT.test(message));
  }

  /** Why the file that is sent could not be read; undefined: that is not why the request failed. */
  fault(error: unknown): unknown {
    const { name, reason } = reasonOf(error);
    return this.#body?.fault ?? (name === "NotReadableError" ? reason : undefined); // a Blob of a file that is gone
  }

  #canResend(): boolean {
    return this.#body?.repeatable !== false;
  }
}

function bodyFor(parts: Parts, members: Record<string, unknown>): Body | undefined {
  if (parts.message !== undefined) {
    return bodyOf(parts.message, parts.mediaType);
  }
  if (parts.query === undefined) {
    return undefined;
  }
  const { file, ...rest } = members;
  return file === undefined
    ? { content: JSON.stringify(rest), type: "application/json", repeatable: true }
    : formOf(file as Upload);
}

/** The parameters that were given, by where they go. */
function sort(parts: Parts): {
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Record<string, unknown>;
} {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parts.params ?? {})) {
    const header = parts.headers?.[name];
    if (value === undefined) {
      continue;
    }
    if (parts.query !== undefined && header === undefined && !parts.query.includes(name)) {
      body[name] = value;
    } else if (value !== null && header !== undefined) {
      headers[header] = inText(value);
    } else if (value !== null) {
      query.set(name, inText(value));
    }
  }
  return { query, headers, body };
}

function inText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(inText).join(",");
  }
  return value instanceof Date ? value.toISOString() : String(value);
}

/** A value as a part of a path. */
export function segment(value: string): string {
  return encodeURIComponent(value);
}

/** What the runtime says of a fault. Node has it in the cause, which may have several causes itself. */
function reasonOf(error: unknown): { code: string; name: string; message: string; reason: unknown } {
  let last = { code: "", name: "", message: String(error), reason: error };
  for (let e = error; typeof e === "object" && e !== null; ) {
    const { code, name, message, cause, errors } = e as Partial<Record<string, unknown>> & { errors?: unknown[] };
    const said = typeof code === "string" ? code : "";
    last = { code: said, name: String(name ?? ""), message: String(message ?? ""), reason: e };
    if (said !== "") {
      break;
    }
    e = cause ?? errors?.[0];
  }
  return last;
}

/** One attempt at a request. It ends when its time is up, or when a signal says so. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #timeout: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #late = false;

  constructor(timeout: number, signals: readonly AbortSignal[]) {
    this.#timeout = timeout;
    this.#signals = signals;
    for (const signal of signals) {
      signal.throwIfAborted();
      signal.addEventListener("abort", this.#stop);
    }
    this.goesOn();
  }

  readonly #stop = (): void => {
    this.#controller.abort();
  };

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came: its time begins anew. */
  goesOn(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#late = true;
      this.#controller.abort();
    }, Math.min(this.#timeout * 1000, 2 ** 31 - 1));
  }

  /** It is over: nothing is left behind. */
  done(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) {
      signal.removeEventListener("abort", this.#stop);
    }
  }

  /** The error of an attempt that has no answer; it throws that of a signal. */
  failure(error: unknown): MailkinError {
    for (const signal of this.#signals) {
      signal.throwIfAborted();
    }
    if (this.#late) {
      return new APITimeoutError("The server did not answer in time.", { cause: error });
    }
    if (error instanceof MailkinError) {
      return error;
    }
    const { code, message } = reasonOf(error);
    const sentence = `The server could not be reached, or the connection broke: ${code || message}`;
    return new APIConnectionError(sentence, { cause: error });
  }
}

/** How many seconds to wait before the next attempt: as the server says, or longer each time. */
export function backoff(attempt: number, retryAfter?: number): number {
  if (retryAfter !== undefined) {
    return Math.min(retryAfter, 60);
  }
  return Math.min(0.25 * 2 ** Math.min(attempt, 10), 5) * (0.5 + Math.random() / 2);
}

export function sleep(seconds: number, signals: readonly AbortSignal[] = []): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) {
        signal.removeEventListener("abort", end);
      }
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted === undefined) {
        resolve();
      } else {
        reject(aborted.reason);
      }
    };
    const timer = setTimeout(end, seconds * 1000);
    for (const signal of signals) {
      signal.addEventListener("abort", end);
    }
    if (signals.some((signal) => signal.aborted)) {
      end();
    }
  });
}
