/** Take webhooks with Hono, on Node, Bun, Deno or Workers. */

import { verifyWebhook } from "@mailkin/client";
import { Hono } from "hono";

export const app = new Hono<{ Bindings: { MAILBOX_SECRET: string } }>();

app.post("/hook", async (c) => {
  try {
    const event = await verifyWebhook(await c.req.arrayBuffer(), c.req.raw.headers, c.env.MAILBOX_SECRET);
    console.log(event.event, event.subject);
    return c.body(null, 204);
  } catch {
    return c.text("Not signed with this secret.", 401);
  }
});

export default app;
