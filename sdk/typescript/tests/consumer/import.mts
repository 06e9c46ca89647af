/** A program with `import` and without Node's types, whose compiler checks those of libraries, too. */

import { Mailkin, type models, verifyWebhook } from "@mailkin/client";
import { MailTools } from "@mailkin/client/tools";

export async function code(): Promise<string> {
  const box = await new Mailkin({ baseUrl: "http://x.test", timeout: undefined }).bootstrap();
  new MailTools(box).openai();
  const sent: models.Sending = await box.client.send({ to: ["a@x.test"], subject: undefined });
  // @ts-expect-error: such a parameter does not exist
  await box.client.send({ too: "a@x.test" });
  // @ts-expect-error: a preview has no id
  (await box.client.send({ to: "a@x.test", dry_run: true })).id;
  const event = await verifyWebhook("{}", new Headers(), sent.id);
  return event.event === "mailbox.quota" ? String(event.quota.percent) : box.waitForCode({ from: "github.com" });
}
