/** A mailbox to wait in: for a code, a message, a link, or for nothing. */

import type { Mailkin } from "./client.js";
import { APIConnectionError, APIError, UnexpectedMessageError } from "./errors.js";
import type { Bootstrapped, Email, Message } from "./models.js";
import {
  type CodeOptions,
  type Conditions,
  conditionsOf,
  describe,
  late,
  type LinkOptions,
  type Match,
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
  readonly #returned = { message: new Set<string>(), link: new Set<string>(), code: new Set<string>() };
  #codeMark: string | undefined;
  #mark: string;
  readonly #made: Bootstrapped | undefined;

  constructor(
    /** The client with this mailbox's key: for everything else, such as `client.inbox()` and `client.send(…)`. */
    readonly client: Mailkin,
    /** Where it gets mail. */
    readonly address: string,
    mark: string,
    made?: Bootstrapped,
  ) {
    this.#mark = mark;
    this.#made = made;
  }

  /** How the server described it, with its key, where it was made by `bootstrap`. */
  get made(): Bootstrapped | undefined {
    return this.#made;
  }

  /** The id of an event: waiting begins after it. */
  get mark(): string {
    return this.#mark;
  }

  /** The key of the mailbox. It is a password. */
  get apiKey(): string | undefined {
    return this.client.apiKey;
  }

  /** Forget what came until now: waiting begins here from now on. Returns the mark, for `after`. */
  async catchUp(): Promise<string> {
    const me = await this.client.me({ mailbox: this.address });
    this.#mark = me.event_id;
    this.#codeMark = undefined;
    return this.#mark;
  }

  /** Wait for a verification code, the newest. The next call waits for the next one. */
  async waitForCode(options: CodeOptions = {}): Promise<string> {
    return (await this.waitForCodeDetails(options)).code;
  }

  /** Wait as `waitForCode` does, and return the code with its message's id, sender, subject, time and links. */
  async waitForCodeDetails(options: CodeOptions = {}): Promise<ReceivedCode> {
    const { from, after, consume, signal } = options;
    const wait = new Wait(options.timeout ?? TIMEOUT, signal);
    for (;;) {
      const timeout = wait.seconds();
      if (timeout === undefined) {
        throw late("code" + named({ from }), this.address, wait, await this.#arrived());
      }
      const mark = after ?? this.#codeMark ?? this.#mark;
      const params = { after: mark, timeout, from, consume: consume || undefined, mailbox: this.address };
      const answer = await this.#patiently(wait, () => this.client.code(params, { maxRetries: 0, signal }));
      if (answer === undefined || answer.code === null) {
        continue;
      }
      this.#returned.code.add(answer.id);
      if (after === undefined) {
        this.#codeMark = answer.event_id;
      }
      return answer;
    }
  }

  /** Wait for a message for which all holds that is given, the oldest. Each message is returned once. */
  async waitForMessage(options: MessageOptions = {}): Promise<Email> {
    const conditions = conditionsOf(options);
    const wait = new Wait(options.timeout ?? TIMEOUT, options.signal);
    const fits = (m: Email): Promise<boolean> => this.#take("message", m, options.after, options.match);
    const found = await this.#next(wait, options.after, conditions, fits);
    if (found === undefined) {
      throw late("message" + named(conditions), this.address, wait, await this.#arrived());
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
    const wait = new Wait(options.timeout ?? TIMEOUT, options.signal);
    const fits = (m: Email): Promise<boolean> => this.#take("link", m, after, (e) => pick(e, options) !== undefined);
    const email = await this.#next(wait, after, conditionsOf({ from, subject, has: "link" }), fits);
    const link = email === undefined ? undefined : pick(email, options);
    if (link === undefined) {
      const what = "link" + named({ kind, contains, from, subject });
      throw late(what, this.address, wait, await this.#arrived());
    }
    return link;
  }

  /** Wait, and fail with UnexpectedMessageError if a message comes, or came, that no other call has returned. */
  async expectNothing(seconds = 5, options: Omit<MessageOptions, "timeout"> = {}): Promise<void> {
    const { after, match } = options;
    const known = after === undefined ? Object.values(this.#returned) : [];
    const fits = async (m: Email): Promise<boolean> =>
      !known.some((ids) => ids.has(m.id)) && (match === undefined || (await match(m)));
    const found = await this.#next(new Wait(seconds, options.signal), after, conditionsOf(options), fits);
    if (found !== undefined) {
      const said = `A message came to ${this.address} within ${seconds} seconds: ${describe(found)}`;
      throw new UnexpectedMessageError(said, found);
    }
  }

  /** Whether a message is the one that is waited for. Without `after`, each is returned once. */
  async #take(kind: "message" | "link", email: Email, after: string | undefined, match?: Match): Promise<boolean> {
    const known = this.#returned[kind];
    if ((after === undefined && known.has(email.id)) || (match !== undefined && !(await match(email)))) {
      return false;
    }
    if (after === undefined && known.has(email.id)) {
      return false; // another call took it while that was thought about
    }
    known.add(email.id);
    return true;
  }

  /** The first message from a mark on that fits; undefined: the time is up. */
  async #next(
    wait: Wait,
    after: string | undefined,
    conditions: Conditions,
    fits: (email: Email) => Promise<boolean>,
  ): Promise<Email | undefined> {
    let mark = after ?? this.#mark;
    for (;;) {
      const timeout = wait.seconds();
      if (timeout === undefined) {
        return undefined;
      }
      const params = { after: mark, timeout, mailbox: this.address, ...conditions };
      const options = { maxRetries: 0, signal: wait.signal };
      const answer = await this.#patiently(wait, () => this.client.wait(params, options));
      if (answer === undefined || answer.email === null) {
        continue;
      }
      if (await fits(answer.email)) {
        return answer.email;
      }
      mark = answer.event_id ?? mark;
    }
  }

  /** Ask once. undefined: it failed in a way that may pass, and the pause after that is over. */
  async #patiently<T>(wait: Wait, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask();
      wait.answered();
      return answer;
    } catch (error) {
      await wait.failed(error);
      return undefined;
    }
  }

  /** What there is, for an error to show. Not every key may see it. */
  async #arrived(): Promise<Message[]> {
    try {
      const params = { limit: 10, direction: "inbound", mailbox: this.address } as const;
      return (await this.client.inbox(params, { maxRetries: 0 }).page()).emails; // the time is up already
    } catch (error) {
      if (error instanceof APIConnectionError || error instanceof APIError) {
        return [];
      }
      throw error;
    }
  }
}
