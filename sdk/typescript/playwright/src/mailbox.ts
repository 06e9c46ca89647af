/** The mailbox of a test. */

import { type CodeOptions, type LinkOptions, Mailbox, type MessageOptions, type models } from "@mailkin/client";

const TIMEOUT = 20; // seconds: less than Playwright gives a test, so that the error says what did arrive

/** A mailbox of one test alone. Times are in seconds. */
export class TestMailbox extends Mailbox {
  /** Wait for a verification code. The next call waits for the next one. */
  code(options: CodeOptions = {}): Promise<string> {
    return this.waitForCode({ timeout: TIMEOUT, ...options });
  }

  /** Wait for a link, and return its URL. */
  link(options: LinkOptions = {}): Promise<string> {
    return this.waitForLink({ timeout: TIMEOUT, ...options });
  }

  /** Wait for a message. Each is returned once, in their order. */
  message(options: MessageOptions = {}): Promise<models.Email> {
    return this.waitForMessage({ timeout: TIMEOUT, ...options });
  }

  /** Wait, and fail if a message comes, or came, that no other call has returned. */
  nothing(seconds = 2, options: Omit<MessageOptions, "timeout"> = {}): Promise<void> {
    return this.expectNothing(seconds, options);
  }
}
