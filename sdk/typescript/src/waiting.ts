/**
 * What waiting in a mailbox is.
 *
 * Waiting begins at a mark that the server gave, never at a time: where the mailbox was made or opened, or where
 * `catchUp` was called. What came since then is found, and what came before is not.
 */

import { APIConnectionError, APIError, RateLimitError, ServerError, WaitTimeoutError } from "./errors.js";
import type { Code, Email, Link, Message } from "./models.js";
import { backoff, sleep } from "./request.js";

const LONGEST = 55; // seconds that the server waits in one call

/** A function of yours that says whether a message is the one. */
export type Match = (email: Email) => boolean | Promise<boolean>;

/** A verification code, and the rest of what came. */
export type ReceivedCode = Code;

/** A link: its URL and what it is for, and its message. */
export interface ReceivedLink extends Link {
  email: Email;
}

interface Waiting {
  /** Seconds, as many as you like; after that it is a WaitTimeoutError. */
  timeout?: number | undefined;
  /** The id of an event to begin after, such as `catchUp()` returns. */
  after?: string | undefined;
  /** Ends the wait early: it then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface CodeOptions extends Waiting {
  /** A part of the sender's address or name. */
  from?: string | undefined;
  /** No other call that says so gets this code. */
  consume?: boolean | undefined;
}

export interface MessageOptions extends Waiting {
  /** A part of the sender's address or name. */
  from?: string | undefined;
  /** A part of the subject. */
  subject?: string | undefined;
  /** Words. */
  query?: string | undefined;
  label?: string | undefined;
  threadId?: string | undefined;
  /** What it has, one or several. */
  has?: Has | readonly Has[] | undefined;
  /** A function of yours that says whether it is the one. */
  match?: Match | undefined;
}

export type Has = "code" | "link" | "attachment";

export interface LinkOptions extends Waiting {
  /** What it is for; left out: anything. */
  kind?: Link["kind"] | undefined;
  /** A part of the URL. */
  contains?: string | undefined;
  /** A part of the sender's address or name. */
  from?: string | undefined;
  /** A part of the subject. */
  subject?: string | undefined;
}

/** Conditions as the server takes them. */
export interface Conditions {
  from?: string;
  subject?: string;
  query?: string;
  label?: string;
  thread_id?: string;
  has?: string;
}

/** One thing that is waited for, until a deadline. What goes wrong on the way and may pass is tried again. */
export class Wait {
  readonly #end: number;
  #failures = 0;

  constructor(
    readonly timeout: number,
    readonly signal: AbortSignal | undefined,
  ) {
    this.#end = performance.now() + timeout * 1000;
  }

  get #left(): number {
    return (this.#end - performance.now()) / 1000;
  }

  /** How long the server is to wait now; undefined: it is over. */
  seconds(): number | undefined {
    this.signal?.throwIfAborted();
    return this.#left <= 0 ? undefined : Math.max(1, Math.min(LONGEST, Math.ceil(this.#left)));
  }

  answered(): void {
    this.#failures = 0;
  }

  /** Pause before the next attempt, or throw the error, where that is of no use. */
  async failed(error: unknown): Promise<void> {
    const passing =
      error instanceof APIConnectionError || error instanceof ServerError || error instanceof RateLimitError;
    if (!passing || this.#left <= 0) {
      throw error;
    }
    this.#failures++;
    const pause = backoff(this.#failures, error instanceof APIError ? error.retryAfter : undefined);
    await sleep(Math.max(0, Math.min(this.#left, pause)), this.signal === undefined ? [] : [this.signal]);
  }
}

/** A message on one line, for people. */
export function describe(message: Email | Message): string {
  const code = message.code ? `, code ${message.code}` : "";
  const time = message.received_at.slice(11, 19);
  return `${JSON.stringify(message.subject)} from ${message.from_address} at ${time}${code}`;
}

export function late(what: string, address: string, wait: Wait, arrived: readonly Message[]): WaitTimeoutError {
  const came = arrived.map((m) => "\n  " + describe(m)).join("") || " nothing";
  return new WaitTimeoutError(
    `No ${what} came to ${address} within ${wait.timeout} seconds. In the mailbox is:${came}`,
  );
}

export function conditionsOf(options: MessageOptions): Conditions {
  const { from, subject, query, label, threadId, has } = options;
  const chosen = typeof has === "string" ? has : has?.join(",");
  const all = { from, subject, query, label, thread_id: threadId, has: chosen };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as Conditions;
}

export function named(conditions: object): string {
  return Object.entries(conditions)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");
}

/** The first link of a message that fits. */
export function pick(email: Email, options: LinkOptions): ReceivedLink | undefined {
  const { kind, contains } = options;
  const fits = (link: Link): boolean =>
    (kind === undefined || link.kind === kind) && (contains === undefined || link.url.includes(contains));
  const link = (email.links ?? []).find(fits);
  return link === undefined ? undefined : { ...link, email };
}
