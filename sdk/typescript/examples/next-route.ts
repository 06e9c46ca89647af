/** Take webhooks with Next.js: app/hook/route.ts. The environment has MAILBOX_SECRET=whsec_… */

import { verifyWebhook } from "@mailkin/client";

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env["MAILBOX_SECRET"]!);
    console.log(event.event, event.subject);
    return new Response(null, { status: 204 });
  } catch {
    return new Response("Not signed with this secret.", { status: 401 });
  }
}
