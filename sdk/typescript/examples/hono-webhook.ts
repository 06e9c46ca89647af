/** Take webhooks with Hono, on Node, Bun, Deno or Workers. */

import { verifyWebhook, WebhookSignatureError } from "@mailkin/client";
import { Hono } from "hono";
import { env } from "hono/adapter";

export const app = new Hono();

app.post("/hook", async (c) => {
  try {
    const { MAILBOX_SECRET } = env<{ MAILBOX_SECRET: string }>(c); // of the process, or what Workers bind
    const event = await verifyWebhook(await c.req.arrayBuffer(), c.req.raw.headers, MAILBOX_SECRET);
    console.log(event.event, event.subject);
    return c.body(null, 204);
  } catch (error) {
    if (error instanceof WebhookSignatureError) {
      return c.text(error.message, 401);
    }
    throw error;
  }
});

export default app;
