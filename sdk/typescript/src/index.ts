/**
 * Mail for software agents: a client of Mailkin.
 *
 * ```ts
 * import { Mailkin } from "@mailkin/client";
 *
 * const box = await new Mailkin().bootstrap();
 * console.log(box.address);
 * console.log(await box.waitForCode({ timeout: 120 }));
 * ```
 */

export { Mailkin } from "./client.js";
export type { Content, Upload } from "./content.js";
export type { Download } from "./download.js";
export {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  MailkinError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TooLargeError,
  UnexpectedAnswerError,
  UnexpectedMessageError,
  WaitTimeoutError,
  WebhookSignatureError,
} from "./errors.js";
export type { Events } from "./events.js";
export { Mailbox } from "./mailbox.js";
export type * as models from "./models.js";
export type { Pages } from "./pages.js";
export type { RequestOptions } from "./request.js";
export type { MailkinOptions } from "./settings.js";
export { VERSION } from "./version.js";
export type { CodeOptions, LinkOptions, Match, MessageOptions, ReceivedCode, ReceivedLink } from "./waiting.js";
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./webhook.js";
