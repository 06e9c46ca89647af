/** Take webhooks with Express: MAILBOX_SECRET=whsec_… npx tsx express-webhook.ts 8080 */

import type { AddressInfo } from "node:net";

import { verifyWebhook, WebhookSignatureError } from "@mailkin/client";
import express from "express";

const app = express();

// The body as it came: a parser would change what was signed.
app.post("/hook", express.raw({ type: "*/*" }), async (request, response) => {
  try {
    const event = await verifyWebhook(request.body as Buffer, request.headers, process.env["MAILBOX_SECRET"]!);
    console.log(event.event, event.subject);
    response.sendStatus(204);
  } catch (error) {
    response.sendStatus(error instanceof WebhookSignatureError ? 401 : 500);
  }
});

const server = app.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
});
