/**
 * Write to somebody, and again after a few days unless they answer.
 *
 *     MAILKIN_API_KEY=mk_… npx tsx follow-up.ts ada@example.com
 *
 * The second message is scheduled at once, so that it is sent even if this program ends; an answer calls it back.
 */

import { Mailkin, WaitTimeoutError } from "@mailkin/client";

const to = process.argv[2]!;
const days = 3;
const client = new Mailkin();
const box = await client.openMailbox();
const later = new Date(Date.now() + days * 86_400_000);
const first = await client.send({ to, subject: "Your order", text: "Did it arrive?" });
const second = await client.send({ to, subject: "Your order", text: "Did it arrive by now?", send_at: later });
console.log("Asked", to);
try {
  const answer = await box.waitForMessage({ from: to, timeout: days * 86_400 });
  await client.cancelEmail({ id: second.id });
  console.log(`Answered (${answer.subject}): the second message, after ${first.id}, is called back`);
} catch (error) {
  if (!(error instanceof WaitTimeoutError)) {
    throw error;
  }
  console.log("No answer: asked again");
}
