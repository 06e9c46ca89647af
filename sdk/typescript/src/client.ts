/** The client: all operations, and what is written by hand on top of them. */

import { UnexpectedAnswerError } from "./errors.js";
import { Mailbox } from "./mailbox.js";
import { Operations } from "./operations.js";
import type { RequestOptions } from "./request.js";
import type { MailkinOptions } from "./settings.js";

// What bootstrap returns is richer here, which a subclass may not say.
const Base = Operations as unknown as new (options?: MailkinOptions) => Omit<Operations, "bootstrap">;

/** A mailbox as the server describes it, with what waiting needs. */
function known<T extends { mailbox: string; event_id: string }>(made: T): T {
  if (!made.mailbox || !made.event_id) {
    throw new UnexpectedAnswerError("The answer names no mailbox and no event: is that a Mailkin of today?");
  }
  return made;
}

/**
 * A client of a Mailkin server.
 *
 * The address and the key are those that are given; else MAILKIN_URL and MAILKIN_API_KEY; else those that the command
 * `mailkin` keeps (`mailkin bootstrap`). All times are in seconds.
 *
 * ```ts
 * const client = new Mailkin();
 * for await (const message of client.inbox()) {
 *   console.log(message.subject);
 * }
 * ```
 */
export class Mailkin extends Base {
  constructor(options: MailkinOptions = {}) {
    super(options);
  }

  /**
   * Get a temporary mailbox, with its key, to wait in. It needs no key. The mailbox receives and reads, sends nothing,
   * and is gone after 72 hours.
   *
   * ```ts
   * const box = await new Mailkin().bootstrap();
   * const code = await box.waitForCode({ from: "github.com", timeout: 120 });
   * ```
   *
   * POST /v1/bootstrap
   */
  async bootstrap(options: RequestOptions = {}): Promise<Mailbox> {
    const made = known(await new Operations(this._settings.options()).bootstrap(options));
    return new Mailbox(this.withOptions({ apiKey: made.api_key }), made.mailbox, made.event_id, made);
  }

  /** The mailbox of the key, or another that the key opens, to wait in for what comes from now on. */
  async openMailbox(address?: string, options: RequestOptions = {}): Promise<Mailbox> {
    const me = known(await this.me({ mailbox: address }, options));
    return new Mailbox(this, me.mailbox, me.event_id);
  }

  /** A client in which what is given is different. */
  withOptions(options: MailkinOptions): Mailkin {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    return new Mailkin({ ...this._settings.options(), ...given });
  }
}
