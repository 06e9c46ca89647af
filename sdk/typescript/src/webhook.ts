/** Whether a webhook is genuine, and what it says. */

import { WebhookSignatureError } from "./errors.js";
import type { HookEvent, HookOutcome, HookQuota, HookStop } from "./models.js";

/** What is posted; `event` says which. */
export type WebhookEvent =
  | (Omit<HookEvent, "event"> & { event: "message.received" })
  | (Omit<HookStop, "event"> & { event: "mailbox.sending_paused" })
  | (Omit<HookQuota, "event"> & { event: "mailbox.quota" })
  | (Omit<HookOutcome, "event"> & {
      event: Exclude<HookOutcome["event"], "message.received" | "mailbox.sending_paused" | "mailbox.quota">;
    });

/** The headers of a request, as `fetch`, Node, Express and the others have them, or pairs; names in any case. */
export type WebhookHeaders =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Return the event that was posted, or throw WebhookSignatureError where it is not signed with the secret.
 *
 * @param rawBody the body as it came, before anything parsed it
 * @param headers those of the request
 * @param secret the mailbox's or the route's (`whsec_…`, of `GET /v1/webhook/secret`), for `webhook-signature`; or
 * the deployment's WEBHOOK_SECRET, for `X-Webhook-Signature`, which covers neither id nor time
 * @param options `tolerance`: how many seconds old it may be, else 300; only for the first kind
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  options: { tolerance?: number } = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody);
  secret = secret?.trim(); // as it comes from a file
  if (!secret) {
    throw new WebhookSignatureError("There is no secret to check the signature with.");
  }
  if (secret.startsWith("whsec_")) {
    await checkStandard(body, headers, secret, options.tolerance ?? 300);
  } else {
    const [, hex = ""] = /^sha256=([0-9a-f]{64})$/.exec(header(headers, "x-webhook-signature")) ?? [];
    const mac = Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
    if (!(await isSigned(new TextEncoder().encode(secret), mac, body))) {
      throw new WebhookSignatureError("The header X-Webhook-Signature does not fit this body and secret.");
    }
  }
  return eventOf(body);
}

async function checkStandard(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
  tolerance: number,
): Promise<void> {
  const key = bytesOf(secret.slice("whsec_".length));
  if (key === undefined) {
    throw new WebhookSignatureError("The secret is not one: it is whsec_ and base64.");
  }
  const sent = header(headers, "webhook-timestamp");
  if (!/^[0-9]{1,12}$/.test(sent)) {
    throw new WebhookSignatureError("The header webhook-timestamp is missing, or no time.");
  }
  if (Math.abs(Date.now() / 1000 - Number(sent)) > tolerance) {
    throw new WebhookSignatureError(`The header webhook-timestamp is more than ${tolerance} seconds from now.`);
  }
  const head = new TextEncoder().encode(`${header(headers, "webhook-id")}.${sent}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const one of header(headers, "webhook-signature").split(" ")) {
    const mac = one.startsWith("v1,") ? bytesOf(one.slice("v1,".length)) : undefined;
    if (mac !== undefined && (await isSigned(key, mac, signed))) {
      return;
    }
  }
  throw new WebhookSignatureError("The header webhook-signature does not fit this body and secret.");
}

/** Compares in constant time. */
async function isSigned(
  secret: Uint8Array<ArrayBuffer>,
  mac: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, mac, body);
}

/** What base64 stands for; undefined: it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return undefined;
  }
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

function header(headers: WebhookHeaders, name: string): string {
  const isPairs = Symbol.iterator in headers; // as also the Headers of another library are
  const pairs = isPairs ? Array.from(headers as Iterable<[string, string]>) : Object.entries(headers);
  const found = pairs.find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : (found?.join(" ") ?? "");
}

function eventOf(body: Uint8Array<ArrayBuffer>): WebhookEvent {
  try {
    const said: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof said === "object" && said !== null && typeof (said as { event?: unknown }).event === "string") {
      return said as WebhookEvent;
    }
  } catch {
    // it is refused below
  }
  throw new WebhookSignatureError("The body is no event.");
}
