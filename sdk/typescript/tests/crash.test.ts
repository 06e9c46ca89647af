/** The real server is killed and comes back, in the middle of things: nothing is missed, and nothing is doubled. */

import { afterEach, beforeEach, expect, test } from "vitest";

import { Mailkin } from "@mailkin/client";
import { Server } from "@mailkin/client/server";
import { code } from "./support.js";

let server: Server;

beforeEach(async () => {
  server = await Server.start();
});

afterEach(async () => {
  await server.stop();
});

/** A fetch that tells when a request for a path has been sent off. */
function watched(path: string): { fetch: typeof fetch; begun: Promise<void> } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  const own: typeof fetch = (input, init) => {
    if (new URL(String(input)).pathname === path) {
      setTimeout(begin, 200); // by then the server has it
    }
    return fetch(input, init);
  };
  return { fetch: own, begun };
}

test("in a wait", async () => {
  const { apiKey } = await server.newMailbox();
  const way = watched("/v1/code");
  const box = await new Mailkin({ apiKey, baseUrl: server.url, fetch: way.fetch }).openMailbox();
  await server.mail(box.address, "before");
  expect((await box.waitForMessage({ timeout: 30 })).subject).toBe("before");
  const waiting = box.waitForCode({ timeout: 60 });
  await way.begun;
  await server.kill();
  await server.start();
  await server.mail(box.address, "after", code(482915));
  expect(await waiting).toBe("482915");
  expect((await box.waitForMessage({ timeout: 30 })).subject).toBe("after");
});

test("in a stream", async () => {
  const box = await server.newMailbox();
  const seen: string[] = [];
  let begin = (): void => undefined;
  const first = new Promise<void>((done) => (begin = done));
  const following = (async () => {
    for await (const event of box.client.events({ types: "message.received", last_event_id: box.mark })) {
      seen.push(event.subject);
      begin();
      if (event.subject === "n5") {
        return;
      }
    }
  })();
  for (const subject of ["n0", "n1", "n2"]) {
    await server.mail(box.address, subject);
  }
  await first;
  await server.kill();
  await server.start();
  for (const subject of ["n3", "n4", "n5"]) {
    await server.mail(box.address, subject);
  }
  await following;
  expect(seen).toEqual(["n0", "n1", "n2", "n3", "n4", "n5"]);
});

test("in a send", async () => {
  const [sender, box] = [await server.newMailbox(), await server.newMailbox()];
  const client = sender.client.withOptions({ maxRetries: 20 });
  const killing = (async () => {
    for (let n = 0; n < 3; n++) {
      await new Promise((done) => setTimeout(done, 30)); // not a wait for something: the moment of the kill
      await server.kill();
      await server.start();
    }
  })();
  const sent = Array.from({ length: 60 }, (_, n) => `n${n}`);
  for (const subject of sent) {
    await client.send({ to: box.address, subject, text: "Only once." });
  }
  await killing;
  const subjects = async (list: AsyncIterable<{ subject: string }>): Promise<string[]> => {
    const all: string[] = [];
    for await (const { subject } of list) {
      all.push(subject);
    }
    return all.sort();
  };
  expect(await subjects(client.inbox({ direction: "outbound" }))).toEqual([...sent].sort());
  expect(await subjects(box.client.inbox())).toEqual([...sent].sort());
});
