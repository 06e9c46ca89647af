/** Waiting: nothing is missed, nothing is stale, and clocks do not matter. */

import { inspect } from "node:util";
import { expect, test } from "vitest";

import { Mailbox, Mailkin, type models, UnexpectedMessageError, WaitTimeoutError } from "@mailkin/client";
import { code, server } from "./support.js";

function temporary(): Promise<Mailbox> {
  return new Mailkin({ baseUrl: server.url }).bootstrap();
}

test("one line to a code", async () => {
  const box = await new Mailkin({ baseUrl: server.url }).bootstrap();
  const waiting = box.waitForCode({ from: "example.com", timeout: 30 });
  await server.mail(box.address, "Sign in", code(482915));
  expect(await waiting).toBe("482915");
  expect((await box.waitForCodeDetails({ after: box.mark, timeout: 20 })).subject).toBe("Sign in");
  expect(box.apiKey).toMatch(/^mk_/);
  expect(box.made?.mailbox).toBe(box.address);
  expect(inspect(box, { depth: 9, showHidden: true })).not.toContain("mk_"); // a key is not in what is logged
});

test("codes are never stale", async () => {
  const box = await temporary();
  await server.mail(box.address, "one", code(111111));
  await server.mail(box.address, "two", code(222222));
  expect(await box.waitForCode({ timeout: 20 })).toBe("222222"); // it came before the call; the first is superseded
  const late = await box.waitForCode({ timeout: 0.2 }).catch((e: unknown) => e);
  expect(late).toBeInstanceOf(WaitTimeoutError);
  expect((late as Error).message).toContain('"two" from ada@example.com');
  expect((late as Error).message).not.toMatch(/:\d+:\d+$/m); // which Playwright takes for a place in a program
  await server.mail(box.address, "three", code(333333));
  expect(await box.waitForCode({ timeout: 20 })).toBe("333333");
  const again = new Mailbox(box.client, box.address, box.mark);
  expect(await again.waitForCode({ timeout: 20 })).toBe("333333");
});

test("messages come in their order, and once", async () => {
  const box = await temporary();
  for (const subject of ["n0", "n1", "n2"]) {
    await server.mail(box.address, subject);
  }
  const subjects: string[] = [];
  for (let n = 0; n < 3; n++) {
    subjects.push((await box.waitForMessage({ timeout: 20 })).subject);
  }
  expect(subjects).toEqual(["n0", "n1", "n2"]);
  await box.expectNothing(0.1);
  await server.mail(box.address, "n3");
  const surprise = await box.expectNothing(20).catch((e: unknown) => e);
  expect(surprise).toBeInstanceOf(UnexpectedMessageError);
  expect((surprise as UnexpectedMessageError).email.subject).toBe("n3");
  expect((surprise as Error).message).toContain('"n3" from');
  expect((await box.waitForMessage({ subject: "n3", timeout: 20 })).subject).toBe("n3");
  const second = await box.waitForMessage({ after: box.mark, match: (m) => m.subject > "n0", timeout: 20 });
  expect(second.subject).toBe("n1");
});

test("each message goes to one of several who wait at the same time", async () => {
  const box = await temporary();
  const match = async (): Promise<boolean> => true;
  const waiting = Promise.all([1, 2, 3].map(() => box.waitForMessage({ timeout: 20, match })));
  for (const subject of ["n0", "n1", "n2"]) {
    await server.mail(box.address, subject);
  }
  expect((await waiting).map((m) => m.subject).sort()).toEqual(["n0", "n1", "n2"]);
});

test("codes of two senders", async () => {
  const box = await temporary();
  await server.mail(box.address, "one", code(111111), { from: "a@one.example" });
  await server.mail(box.address, "two", code(222222), { from: "a@two.example" });
  expect(await box.waitForCode({ from: "two.example", timeout: 20 })).toBe("222222");
  expect(await box.waitForCode({ from: "one.example", timeout: 20 })).toBe("111111"); // before, and not missed
  for (const from of [undefined, "two.example"]) {
    await expect(box.waitForCode({ from, timeout: 0.1 })).rejects.toBeInstanceOf(WaitTimeoutError); // nor again
  }
  const both = Promise.all([1, 2].map(() => box.waitForCode({ timeout: 20 })));
  await server.mail(box.address, "three", code(333333), { from: "a@two.example" });
  await new Promise((done) => setTimeout(done, 200)); // so that one of them has it, and the other has seen it
  await server.mail(box.address, "four", code(444444), { from: "a@one.example" });
  expect((await both).sort()).toEqual(["333333", "444444"]);
});

test("a code is not older than the last", async () => {
  const box = await server.newMailbox();
  await server.mail(box.address, "one", code(111111));
  await server.mail(box.address, "two", code(222222));
  const { id } = await box.waitForCodeDetails({ timeout: 20 });
  await box.client.deleteEmail({ id });
  const other = box.waitForCode({ from: "ada@example.com", timeout: 0.1 });
  await expect(other).rejects.toBeInstanceOf(WaitTimeoutError);
});

test("what was returned is not asked for again", async () => {
  let asked = 0;
  const own: typeof fetch = (input, init) => {
    asked++;
    return fetch(input, init);
  };
  const { apiKey } = await server.newMailbox();
  const box = await new Mailkin({ baseUrl: server.url, apiKey, fetch: own }).openMailbox();
  const subjects = ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"];
  for (const subject of subjects) {
    await server.mail(box.address, subject, `See https://example.com/${subject}`);
  }
  asked = 0;
  for (const subject of subjects) {
    expect(await box.waitForLink({ timeout: 20 })).toBe(`https://example.com/${subject}`);
  }
  expect(asked).toBe(8);
  const match = (m: models.Email): boolean => m.subject !== "n2";
  for (const subject of ["n0", "n1", "n3", "n4", "n5", "n6"]) {
    expect((await box.waitForMessage({ match, timeout: 20 })).subject).toBe(subject);
  }
  expect(asked).toBe(18); // each message once, and n2 once more in each call after it
  expect((await box.waitForMessage({ query: "n2", timeout: 20 })).subject).toBe("n2");
  expect((await box.waitForMessage({ timeout: 20 })).subject).toBe("n7");
  await box.expectNothing(0.1);
  asked = 0;
  await box.expectNothing(0.1);
  expect(asked).toBe(1);
});

test("links", async () => {
  const box = await temporary();
  await server.mail(box.address, "Other", "See https://example.com/news for more.");
  const html = '<a href="https://example.com/verify?t=1">Verify your address</a>';
  await server.mail(box.address, "Verify", "Verify.", { html });
  const link = await box.waitForLinkDetails({ kind: "verification", timeout: 20 });
  expect(link).toMatchObject({ url: "https://example.com/verify?t=1", kind: "verification" });
  expect(link.email.subject).toBe("Verify");
  expect(await box.waitForLink({ contains: "/news", timeout: 20 })).toBe("https://example.com/news");
});

test("marks", async () => {
  const { client, address } = await server.newMailbox();
  await server.mail(address, "before", code(111111));
  const box = await client.openMailbox();
  const { mark } = box;
  await server.mail(address, "after", code(222222));
  expect(await box.waitForCode({ timeout: 20 })).toBe("222222");
  expect(await box.catchUp()).not.toBe(mark);
  await expect(box.waitForMessage({ timeout: 0.1 })).rejects.toBeInstanceOf(WaitTimeoutError);
  expect((await server.client().openMailbox(address)).address).toBe(address); // the operator waits in any mailbox
});

test("a signal ends a wait", async () => {
  const box = await temporary();
  const stop = new AbortController();
  const waiting = box.waitForMessage({ timeout: 600, signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await expect(waiting).rejects.toThrow("enough");
});
