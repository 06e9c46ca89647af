/** Many workers at once, with one server of the global set-up: each test has mail of its own, and no other. */

import { expect, test } from "@mailkin/playwright";

for (let n = 0; n < 32; n++) {
  test(`mailbox ${n}`, async ({ mailbox, mailkin }) => {
    const link = `https://example.com/verify?t=${n}`;
    await mailkin.mail(mailbox.address, `n${n}`, `Your verification code is ${482900 + n}. Verify: ${link}`);
    expect(await mailbox.code()).toBe(String(482900 + n));
    expect(await mailbox.link({ contains: "verify" })).toBe(link);
    expect((await mailbox.message()).subject).toBe(`n${n}`);
    expect(await mailbox.client.inbox().all()).toHaveLength(1);
  });
}

test("a failure says what came, and has it attached", async ({ mailbox, mailkin }) => {
  test.fail();
  await mailkin.mail(mailbox.address, "A surprise");
  await mailbox.nothing(0.1);
});
