/** What can go wrong, as classes. */

import type { Email } from "./models.js";

/** Everything that goes wrong here is one. */
export class MailkinError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server could not be reached, or the connection broke. */
export class APIConnectionError extends MailkinError {}

/** The server did not answer in time. */
export class APITimeoutError extends APIConnectionError {}

/** What answered is no Mailkin: look at the address. */
export class UnexpectedAnswerError extends MailkinError {}

/** What was waited for did not come in time. */
export class WaitTimeoutError extends MailkinError {}

/** A message came where none should; it is in `email`. */
export class UnexpectedMessageError extends MailkinError {
  constructor(
    message: string,
    readonly email: Email,
  ) {
    super(message);
  }
}

/** A request is not signed with this secret, or too old. */
export class WebhookSignatureError extends MailkinError {}

/** The server refused. Its `message` is the server's sentence for people. */
export class APIError extends MailkinError {
  /** The status of HTTP. */
  readonly status: number;
  /** A word for programs, such as `not_found`. */
  readonly code: string;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** After how many seconds it may work; undefined: nobody knows. */
  readonly retryAfter: number | undefined;
  /** The member or parameter that is wrong. */
  readonly field: string | undefined;
  /** The whole answer. */
  readonly body: Record<string, unknown>;

  constructor(message: string, response: Response, body: Record<string, unknown>) {
    super(message);
    this.status = response.status;
    this.code = text(body["code"]) ?? codes[this.status] ?? "error";
    this.requestId = response.headers.get("X-Request-Id") ?? text(body["request_id"]);
    this.retryAfter = retryAfterOf(response.headers);
    this.field = text(body["field"]);
    this.body = body;
  }
}

/** 400: something that was given is wrong; `field` says what. */
export class InvalidRequestError extends APIError {}

/** 401: there is no key, or it is not one. */
export class AuthenticationError extends APIError {}

/** 403: the key may not do this, or the mailbox is paused. */
export class PermissionDeniedError extends APIError {}

/** 404: there is no such thing for this key. */
export class NotFoundError extends APIError {}

/** 409: something else happened first. */
export class ConflictError extends APIError {}

/** 413: it is too large. */
export class TooLargeError extends APIError {}

/** 429: too many; `retryAfter` says when to come back. */
export class RateLimitError extends APIError {}

/** 5xx: the server could not. */
export class ServerError extends APIError {}

const codes: Record<number, string> = { 401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "rate_limited" };

const classes: Record<number, typeof APIError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  415: InvalidRequestError,
  429: RateLimitError,
};

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** How many seconds the server wants to be left alone; undefined: it does not say. It says seconds, or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const said = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(said)) {
    return Number(said);
  }
  const [date, now] = [Date.parse(said), Date.parse(headers.get("Date") ?? "")]; // by the clock of the server
  return Number.isNaN(date) ? undefined : Math.max(0, (date - (Number.isNaN(now) ? Date.now() : now)) / 1000);
}

/** The error of an answer that leads elsewhere, which a page is not told about. */
function redirected(response: Response): APIError {
  const place = response.headers.get("Location") ?? "another address";
  const error = `The server is at ${place}: give that address.`;
  return new APIError(error, response, { error, code: "redirected" });
}

/** The error of an answer. */
export async function errorOf(response: Response): Promise<APIError> {
  if (response.status < 400) {
    await response.body?.cancel();
    return redirected(response);
  }
  let body: Record<string, unknown> = {};
  const said = await response.text();
  try {
    const parsed: unknown = JSON.parse(said);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      body = parsed as Record<string, unknown>;
    }
  } catch {
    // some other program answered, such as a proxy
  }
  const kind = classes[response.status] ?? (response.status >= 500 ? ServerError : APIError);
  const sentence = text(body["message"]) ?? text(body["error"]) ?? (response.statusText || "The server refused.");
  return new kind(sentence, response, body);
}
