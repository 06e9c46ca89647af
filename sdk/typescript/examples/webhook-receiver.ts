/**
 * Take webhooks, with nothing but Node.
 *
 *     MAILBOX_SECRET=whsec_… npx tsx webhook-receiver.ts 8080
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { verifyWebhook, WebhookSignatureError } from "@mailkin/client";

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) {
    pieces.push(piece as Buffer);
  }
  try {
    const event = await verifyWebhook(Buffer.concat(pieces), request.headers, process.env["MAILBOX_SECRET"]!);
    console.log(event.event, event.subject);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end();
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
});
