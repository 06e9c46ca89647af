/** Webhooks: what is genuine is returned as an event, and nothing else. */

import { createHmac } from "node:crypto";
import { beforeAll, expect, expectTypeOf, test } from "vitest";

import { type models, verifyWebhook, WebhookSignatureError } from "@mailkin/client";
import { type Asked, scripted, server } from "./support.js";

let body: Buffer;
let headers: Record<string, string>;
let secret: string;

beforeAll(async () => {
  const box = await server.newMailbox();
  secret = (await box.client.webhookSecret()).secret;
  const posted = await new Promise<Asked>(async (done) => {
    const receiver = await scripted((asked) => {
      asked.response.writeHead(204).end();
      done(asked);
    });
    await box.client.changeMailbox({ webhook_url: receiver.url });
    await server.mail(box.address, "Hello there");
  });
  body = posted.body;
  headers = posted.request.headers as Record<string, string>;
});

test("genuine", async () => {
  for (const key of [secret, server.webhookSecret]) {
    const event = await verifyWebhook(body, headers, key);
    expect(event).toMatchObject({ event: "message.received", subject: "Hello there", from: "ada@example.com" });
    if (event.event === "mailbox.quota") {
      expectTypeOf(event.quota).toEqualTypeOf<models.HookQuota["quota"]>();
    }
  }
  const shouted = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v]));
  expect((await verifyWebhook(body.toString(), shouted, secret)).subject).toBe("Hello there");
  const web = new Headers(Object.entries(headers));
  expect((await verifyWebhook(new Uint8Array(body).buffer, web, secret)).subject).toBe("Hello there");
  expect((await verifyWebhook(body, Object.entries(headers), secret + "\n")).subject).toBe("Hello there");
  expect((await verifyWebhook(body, new Map(Object.entries(headers)), secret)).subject).toBe("Hello there");
  const several = { ...headers, "webhook-signature": "v1,AAAA " + headers["webhook-signature"] };
  expect((await verifyWebhook(body, several, secret)).subject).toBe("Hello there");
});

test.each<Record<string, string>>([
  { "webhook-signature": "v1,AAAA" },
  { "webhook-signature": "" },
  { "webhook-id": "msg_other" },
  { "webhook-timestamp": "1" },
  { "webhook-timestamp": "now" },
  { "webhook-timestamp": "1e9" },
])("not genuine: %o", async (change) => {
  await expect(verifyWebhook(body, { ...headers, ...change }, secret)).rejects.toBeInstanceOf(WebhookSignatureError);
});

test("other bodies and secrets", async () => {
  const more = Buffer.concat([body, Buffer.from(" ")]);
  const deployment = server.webhookSecret;
  const cases: [Buffer, Record<string, string>, string][] = [
    [more, headers, secret], [more, headers, deployment], [body, headers, "whsec_AAAA"], [body, headers, "whsec_"],
    [body, headers, "whsec_!"], [body, headers, ""], [body, headers, "other"], [body, {}, secret],
    [body, {}, deployment],
  ];
  for (const [b, h, s] of cases) {
    await expect(verifyWebhook(b, h, s)).rejects.toBeInstanceOf(WebhookSignatureError);
  }
});

test("kinds, and what is no event", async () => {
  const event = (text: string) => {
    const mac = createHmac("sha256", "s3cret").update(text).digest("hex");
    return verifyWebhook(text, { "X-Webhook-Signature": "sha256=" + mac }, "s3cret");
  };
  const bounced = await event('{"event":"message.bounced","recipient":"a@x.test"}');
  expect(bounced.event === "message.bounced" && bounced.recipient).toBe("a@x.test");
  const full = await event('{"event":"mailbox.quota","quota":{"percent":80}}');
  expect(full.event === "mailbox.quota" && full.quota.percent).toBe(80);
  for (const text of ["[]", "{", "7", "null", "{}"]) {
    await expect(event(text)).rejects.toBeInstanceOf(WebhookSignatureError);
  }
});
