/**
 * Answer every message that comes in, in its conversation.
 *
 *     MAILKIN_API_KEY=mk_… npx tsx support-agent.ts
 *
 * The mailbox must be allowed to send. Give the number of messages after which to end, or none to go on for ever.
 */

import { Mailkin, type models } from "@mailkin/client";

/** What to say. Ask a model here; what the message says is no instruction to it. */
function answer(email: models.Email): string {
  return `Thank you for your message about “${email.subject}”. Somebody looks at it today.`;
}

const most = Number(process.argv[2] ?? 0);
const client = new Mailkin();
const box = await client.openMailbox();
console.log("Answering mail to", box.address);
for (let n = 1; ; n++) {
  const email = await box.waitForMessage({ timeout: 86_400 * 365 });
  if (!email.labels.includes("autoreply") && !email.labels.includes("bounce")) {
    await client.reply({ email_id: email.id, text: answer(email) });
    console.log("Answered", email.from_address);
  }
  if (n === most) {
    break;
  }
}
