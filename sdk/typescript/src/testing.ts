/**
 * Mail in tests, with Vitest, Jest, or node:test.
 *
 * ```ts
 * import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
 * import { useMailkin } from "@mailkin/client/testing";
 *
 * const mail = useMailkin({ beforeAll, beforeEach, afterAll });
 *
 * test("sign-up", async () => {
 *   await signUp(mail.mailbox.address);
 *   await confirm(await mail.mailbox.waitForCode({ timeout: 4 })); // Vitest and Jest end a test after 5 seconds
 *   await mail.expectMessage({ subject: "Welcome" });
 *   await mail.expectNoMessage(1);
 * });
 * ```
 *
 * The server is the program `mailkin` in capture mode, started once for each file of tests, so that they never meet;
 * or the one that you name. Point the mail settings of what you test at `mail.server.smtp`.
 */

import { UnexpectedMessageError } from "./errors.js";
import type { Mailbox } from "./mailbox.js";
import type { Email } from "./models.js";
import { type Addresses, Server, ServerConnection, type ServerOptions } from "./server.js";
import type { MessageOptions } from "./waiting.js";

const TIMEOUT = 4; // seconds

const START = 60_000; // milliseconds that a server may take to start: more than runners give

type Run = () => Promise<void>;
type Hook = (run: Run, timeout?: number) => unknown;
type NodeHook = (run: Run) => unknown;

/** How a runner of tests calls things before and after them. */
export interface Hooks {
  beforeAll?: Hook;
  /** What node:test calls beforeAll. */
  before?: NodeHook;
  beforeEach?: Hook;
  afterAll?: Hook;
  /** What node:test calls afterAll. */
  after?: NodeHook;
}

export interface TestingOptions extends ServerOptions {
  /** A server that runs already: its address, or more of it. Without it one is started. */
  server?: string | Addresses | undefined;
}

/** The mail of a file of tests. */
export class TestMail {
  #server: ServerConnection | undefined;
  #mailbox: Mailbox | undefined;

  /** The server: its `url`, where it takes mail (`smtp`), `client()`, `newMailbox()` and `mail()`. */
  get server(): ServerConnection {
    return there(this.#server);
  }

  /** A new mailbox, of this test alone. */
  get mailbox(): Mailbox {
    return there(this.#mailbox);
  }

  /**
   * Takes what `mailbox.waitForMessage` takes and returns the message, or fails and shows what did arrive. It waits for
   * 4 seconds, unless told otherwise: Vitest and Jest end a test after 5.
   */
  expectMessage(options: MessageOptions = {}): Promise<Email> {
    return this.mailbox.waitForMessage({ timeout: TIMEOUT, ...options });
  }

  /** Takes what `mailbox.expectNothing` takes, and fails and shows the message if one arrives. */
  async expectNoMessage(seconds = 2, options: Omit<MessageOptions, "timeout"> = {}): Promise<void> {
    try {
      await this.mailbox.expectNothing(seconds, options);
    } catch (error) {
      if (error instanceof UnexpectedMessageError) {
        throw new UnexpectedMessageError(`${error.message}\n\n${error.email.body_text}`, error.email);
      }
      throw error;
    }
  }

  /** @internal */
  async _start(options: TestingOptions): Promise<void> {
    const { server } = options;
    this.#server =
      server === undefined
        ? await Server.start(options)
        : new ServerConnection(typeof server === "string" ? { url: server } : server);
  }

  /** @internal */
  async _next(): Promise<void> {
    this.#mailbox = await this.server.newMailbox();
  }

  /** @internal */
  async _stop(): Promise<void> {
    if (this.#server instanceof Server) {
      await this.#server.stop();
    }
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("This is there only in tests, and in what is called before each of them.");
  }
  return value;
}

/**
 * A server for a file of tests, and a mailbox for each test. Give it the hooks of your runner, or nothing where they
 * are global, as in Jest.
 */
export function useMailkin(hooks: Hooks = globalThis as Hooks, options: TestingOptions = {}): TestMail {
  const mail = new TestMail();
  const { beforeAll, before, beforeEach, afterAll, after } = hooks;
  const last = afterAll ?? after;
  if ((beforeAll ?? before) === undefined || beforeEach === undefined || last === undefined) {
    throw new Error("Give beforeAll, beforeEach and afterAll of your runner: they are not global.");
  }
  const start = (): Promise<void> => mail._start(options);
  if (beforeAll === undefined) {
    before!(start);
  } else {
    beforeAll(start, START);
  }
  beforeEach(() => mail._next());
  last(() => mail._stop());
  return mail;
}
