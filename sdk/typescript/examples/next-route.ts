/** Take webhooks with Next.js: app/hook/route.ts. The environment has MAILBOX_SECRET=whsec_… */

import { verifyWebhook, WebhookSignatureError } from "@mailkin/client";

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env["MAILBOX_SECRET"]!);
    console.log(event.event, event.subject);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookSignatureError) {
      return new Response(error.message, { status: 401 });
    }
    throw error;
  }
}
