/** A mailbox to wait in: for a code, a message, a link, or for nothing. */

import type { Mailkin } from "./client.js";
import { APIConnectionError, APIError, UnexpectedMessageError } from "./errors.js";
import type { Bootstrapped, Code, Email, Message } from "./models.js";
import type { RequestOptions } from "./request.js";
import { Marks, Search } from "./search.js";
import {
  checkKind,
  type CodeOptions,
  type Conditions,
  conditionsOf,
  describe,
  GRACE,
  late,
  type LinkOptions,
  type MessageOptions,
  named,
  pick,
  type ReceivedCode,
  type ReceivedLink,
  Wait,
} from "./waiting.js";

const TIMEOUT = 120; // seconds, where none are given

/**
 * A mailbox to wait in. `new Mailkin().bootstrap()` makes one, `new Mailkin().openMailbox()` opens that of the key.
 * All times are in seconds.
 */
export class Mailbox {
  readonly #marks: Marks;
  readonly #made: Bootstrapped | undefined;

  constructor(
    /** The client with this mailbox's key: for everything else, such as `client.inbox()` and `client.send(…)`. */
    readonly client: Mailkin,
    /** Where it gets mail. */
    readonly address: string,
    mark: string,
    made?: Bootstrapped,
  ) {
    this.#marks = new Marks(mark);
    this.#made = made;
  }

  /** How the server described it, with its key, where it was made by `bootstrap`. */
  get made(): Bootstrapped | undefined {
    return this.#made;
  }

  /** The id of an event: waiting begins after it. */
  get mark(): string {
    return this.#marks.mark;
  }

  /** The key of the mailbox. It is a password. */
  get apiKey(): string | undefined {
    return this.client.apiKey;
  }

  /** Forget what came until now: waiting begins here from now on. Returns the mark, for `after`. */
  async catchUp(): Promise<string> {
    const me = await this.client.me({ mailbox: this.address });
    this.#marks.catchUp(me.event_id);
    return me.event_id;
  }

  /** Wait for a verification code, the newest. The next call waits for the next one. */
  async waitForCode(options: CodeOptions = {}): Promise<string> {
    return (await this.waitForCodeDetails(options)).code;
  }

  /** Wait as `waitForCode` does, and return the code with its message's id, sender, subject, time and links. */
  async waitForCodeDetails(options: CodeOptions = {}): Promise<ReceivedCode> {
    const { from, after, signal } = options;
    const wait = new Wait(options.timeout ?? TIMEOUT, signal);
    let mark = after ?? this.#marks.codesAfter(from);
    for (;;) {
      const seconds = wait.seconds();
      if (seconds === undefined) {
        throw late("code" + named({ from }), this.address, wait, await this.#arrived(wait));
      }
      const params = { after: mark, timeout: seconds, from, mailbox: this.address };
      let answer = await this.#ask(wait, seconds, (more) => this.client.code(params, more));
      if (options.consume && answer?.code) {
        const { event_id: newest } = answer as Code;
        answer = await this.#takeCode(wait, params);
        if (answer?.code === null) {
          mark = newest || mark; // somebody else has it
        }
      }
      if (answer === undefined || answer.code === null) {
        continue;
      }
      mark = answer.event_id || mark;
      if (after !== undefined || this.#marks.takeCode(answer.id, from, mark)) {
        return answer;
      }
      wait.goesOn();
    }
  }

  /** Take a code that is there, in a call that is short, because it may not be made again, and is not left behind. */
  #takeCode(wait: Wait, params: { after: string; from: string | undefined; mailbox: string }) {
    const call = (more: RequestOptions) =>
      this.client.code({ ...params, timeout: 1, consume: true }, { ...more, signal: undefined });
    return this.#ask(wait, 1, call, false);
  }

  /** Wait for a message for which all holds that is given, the oldest. Each message is returned once. */
  async waitForMessage(options: MessageOptions = {}): Promise<Email> {
    const conditions = conditionsOf(options);
    const wait = new Wait(options.timeout ?? TIMEOUT, options.signal);
    const { after, match } = options;
    const search = new Search(this.#marks, { kind: "message", conditions, after, match });
    const found = await this.#next(wait, conditions, search);
    if (found === undefined) {
      throw late("message" + named(conditions), this.address, wait, await this.#arrived(wait));
    }
    return found;
  }

  /** Wait for a link, and return its URL. */
  async waitForLink(options: LinkOptions = {}): Promise<string> {
    return (await this.waitForLinkDetails(options)).url;
  }

  /** Wait as `waitForLink` does, and return the link with what it is for and its message. */
  async waitForLinkDetails(options: LinkOptions = {}): Promise<ReceivedLink> {
    const { from, subject, kind, contains, after } = options;
    checkKind(kind);
    const wait = new Wait(options.timeout ?? TIMEOUT, options.signal);
    const conditions = conditionsOf({ from, subject, has: "link" });
    const match = (email: Email): boolean => pick(email, options) !== undefined;
    const search = new Search(this.#marks, {
      kind: "link", conditions, after, match, constant: named({ kind, contains }),
    });
    const email = await this.#next(wait, conditions, search);
    const link = email === undefined ? undefined : pick(email, options);
    if (link === undefined) {
      const what = "link" + named({ kind, contains, from, subject });
      throw late(what, this.address, wait, await this.#arrived(wait));
    }
    return link;
  }

  /** Wait, and fail with UnexpectedMessageError if a message comes, or came, that no other call has returned. */
  async expectNothing(seconds = 5, options: Omit<MessageOptions, "timeout"> = {}): Promise<void> {
    const { after, match } = options;
    const conditions = conditionsOf(options);
    const wait = new Wait(seconds, options.signal);
    const search = new Search(this.#marks, { kind: undefined, conditions, after, match });
    const found = await this.#next(wait, conditions, search);
    if (found !== undefined) {
      const said = `A message came to ${this.address} within ${seconds} seconds: ${describe(found)}`;
      throw new UnexpectedMessageError(said, found);
    }
    if (wait.error !== undefined) {
      throw wait.error; // nobody knows what came
    }
  }

  /** The first message that is searched for; undefined: the time is up. */
  async #next(wait: Wait, conditions: Conditions, search: Search): Promise<Email | undefined> {
    for (;;) {
      const seconds = wait.seconds();
      if (seconds === undefined) {
        return undefined;
      }
      const params = { after: search.mark, timeout: seconds, mailbox: this.address, ...conditions };
      const answer = await this.#ask(wait, seconds, (more) => this.client.wait(params, more));
      if (answer === undefined || answer.email === null) {
        continue;
      }
      if (await search.take(answer.email, answer.event_id)) {
        return answer.email;
      }
      wait.goesOn();
    }
  }

  /** Ask once. undefined: it failed in a way that may pass, and the pause after that is over. */
  async #ask<T>(
    wait: Wait,
    seconds: number,
    call: (options: RequestOptions) => Promise<T>,
    again = true,
  ): Promise<T | undefined> {
    const timeout = wait.patience(seconds, this.client._settings.timeout);
    try {
      const answer = await call({ maxRetries: 0, signal: wait.signal, timeout });
      wait.answered();
      return answer;
    } catch (error) {
      await wait.failed(error, again);
      return undefined;
    }
  }

  /** What there is, for an error to show. Not every key may see it, and not every server can be asked. */
  async #arrived(wait: Wait): Promise<Message[] | undefined> {
    if (wait.error !== undefined) {
      return undefined;
    }
    const options = { maxRetries: 0, timeout: GRACE, signal: wait.signal }; // the time is up already
    try {
      const params = { limit: 10, direction: "inbound", mailbox: this.address } as const;
      return (await this.client.inbox(params, options).page()).emails;
    } catch (error) {
      if (error instanceof APIConnectionError || error instanceof APIError) {
        return undefined;
      }
      throw error;
    }
  }
}
