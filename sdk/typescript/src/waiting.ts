/**
 * What waiting in a mailbox is.
 *
 * Waiting begins at a mark that the server gave, never at a time: where the mailbox was made or opened, or where
 * `catchUp` was called. What came since then is found, and what came before is not.
 */

import { APIConnectionError, APIError, MailkinError, RateLimitError, ServerError, WaitTimeoutError } from "./errors.js";
import type { Code, Email, Link, Message } from "./models.js";
import { backoff, REFUSED, sleep } from "./request.js";

const LONGEST = 55; // seconds that the server waits in one call
/** Seconds that a wait takes longer at most, where the server does not answer. */
export const GRACE = 5;

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
  /**
   * No other call that says so gets this code. Where the connection breaks while it is handed out, nobody knows whether
   * it was, and that is an APIConnectionError.
   */
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
  #asked = false; // the server is asked once in any case
  /** Why the last attempt failed; undefined: it did not. */
  error: MailkinError | undefined;

  constructor(
    readonly timeout: number,
    readonly signal: AbortSignal | undefined,
  ) {
    if (typeof timeout !== "number" || Number.isNaN(timeout)) {
      throw new MailkinError("The timeout is no number of seconds.");
    }
    this.#end = performance.now() + timeout * 1000;
  }

  get #left(): number {
    return (this.#end - performance.now()) / 1000;
  }

  /** How long the server is to wait now; undefined: it is over. */
  seconds(): number | undefined {
    this.signal?.throwIfAborted();
    if (this.#left <= (this.#asked ? 0 : -GRACE)) {
      return undefined;
    }
    this.#asked = true;
    return Math.max(1, Math.ceil(Math.min(LONGEST, this.#left)));
  }

  /** How long an answer may take, besides the seconds that the server waits: as usual, but not past the end. */
  patience(seconds: number, usual: number): number {
    return Math.min(usual, Math.max(0, this.#left - seconds) + GRACE);
  }

  answered(): void {
    this.#failures = 0;
    this.error = undefined;
  }

  /** There was something else, and there may be more: the server is asked again, also where the time is up. */
  goesOn(): void {
    this.#asked = false;
  }

  /**
   * Pause before the next attempt, or throw the error, where that is of no use.
   *
   * @param again whether it may be made again where nobody knows what was done
   */
  async failed(error: unknown, again: boolean): Promise<void> {
    const passing =
      error instanceof APIConnectionError || error instanceof ServerError || error instanceof RateLimitError;
    const refused = error instanceof APIError && REFUSED.includes(error.status);
    if (!passing || !(again || refused)) {
      throw error;
    }
    this.#failures++;
    this.error = error;
    const pause = backoff(this.#failures, error instanceof APIError ? error.retryAfter : undefined);
    await sleep(Math.max(0, Math.min(this.#left, pause)), this.signal === undefined ? [] : [this.signal]);
  }
}

/** A message on one line, for people. The time is not at its end, where tools take it for a place in a program. */
export function describe(message: Email | Message): string {
  const code = message.code ? `, code ${message.code}` : "";
  return `${message.received_at.slice(11, 19)} ${JSON.stringify(message.subject)} from ${message.from_address}${code}`;
}

/** The error of a wait that is over. What arrived may not be known. */
export function late(what: string, address: string, wait: Wait, arrived?: readonly Message[]): WaitTimeoutError {
  let said = `No ${what} came to ${address} within ${wait.timeout} seconds.`;
  if (wait.error !== undefined) {
    said += ` The last attempt failed: ${wait.error.message}`;
  } else if (arrived !== undefined) {
    said += " In the mailbox is:" + (arrived.map((m) => "\n  " + describe(m)).join("") || " nothing");
  }
  return new WaitTimeoutError(said, { cause: wait.error });
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

const KINDS: readonly Link["kind"][] = ["verification", "sign_in", "password_reset", "invitation", "unsubscribe",
  "other"];

/** A kind that does not exist would be waited for in vain. */
export function checkKind(kind: Link["kind"] | undefined): void {
  if (kind !== undefined && !KINDS.includes(kind)) {
    throw new MailkinError(`There is no kind of links ${JSON.stringify(kind)}: they are ${KINDS.join(", ")}.`);
  }
}

/** The first link of a message that fits. */
export function pick(email: Email, options: LinkOptions): ReceivedLink | undefined {
  const { kind, contains } = options;
  const fits = (link: Link): boolean =>
    (kind === undefined || link.kind === kind) && (contains === undefined || link.url.includes(contains));
  const link = (email.links ?? []).find(fits);
  return link === undefined ? undefined : { ...link, email };
}
