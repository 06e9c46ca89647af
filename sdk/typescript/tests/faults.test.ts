/** What the client does when things go wrong: nothing is missed, and nothing is done twice. */

import { createReadStream, openAsBlob, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  APIConnectionError,
  APITimeoutError,
  AuthenticationError,
  type Content,
  Mailbox,
  Mailkin,
  MailkinError,
  RateLimitError,
  UnexpectedAnswerError,
  UnexpectedMessageError,
  WaitTimeoutError,
} from "@mailkin/client";
import { cut, halfway, reply, scripted, type Step } from "./support.js";

const HEALTH = { status: "ok" };
let pauses: number[] = [];

// Pauses between attempts are noted, and not made. Every other use of timers, Node's too, is left alone.
beforeEach(() => {
  pauses = [];
  const { setTimeout: real } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) => {
    const ours = /\n.*\bsleep\b.*request\.js/.test(new Error().stack ?? "");
    if (ours) {
      pauses.push(ms / 1000);
    }
    return real(run, ours ? 1 : ms);
  }) as typeof setTimeout);
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("Retry-After is honoured", async () => {
  await using server = await scripted(reply(429, {}, { "Retry-After": "7" }), reply(503, {}, { "Retry-After": "2" }),
    reply(200, HEALTH));
  await server.client().createMailbox({ name: "wren" }); // a POST without a key: nothing was done
  expect(server.asked).toHaveLength(3);
  expect(pauses).toEqual([7, 2]);
});

test("Retry-After may be a date, by the server's clock", async () => {
  const [now, then] = [new Date(0), new Date(7000)].map((date) => date.toUTCString());
  const later = reply(503, {}, { Date: now!, "Retry-After": then! });
  await using server = await scripted(later, reply(200, HEALTH));
  await server.client().health();
  expect(pauses).toEqual([7]);
  await using other = await scripted(later, reply(503, {}, { "Retry-After": "soon" }));
  await expect(other.client({ maxRetries: 0 }).me()).rejects.toMatchObject({ retryAfter: 7 });
  await expect(other.client({ maxRetries: 0 }).me()).rejects.toMatchObject({ retryAfter: undefined });
});

test("what was deleted is not deleted again", async () => {
  await using server = await scripted(cut, reply(404));
  const failure = server.client().deleteEmail({ id: "1" });
  await expect(failure).rejects.toBeInstanceOf(APIConnectionError); // and not that there is no such message
  expect(server.asked).toHaveLength(1);
});

test("what leads elsewhere is an error that says where", async () => {
  await using server = await scripted(reply(308, "<h1>Moved</h1>", { Location: "https://mail.example.com/v1/me" }));
  const client = server.client();
  const calls = [
    () => client.me(),
    () => client.llms(),
    () => client.front(),
    () => client.attachment({ id: "1" }).bytes(),
    () => client.events()[Symbol.asyncIterator]().next(),
  ];
  for (const call of calls) {
    const failure = await call().catch((e: unknown) => e);
    expect(failure).toMatchObject({ status: 308, code: "redirected" });
    expect((failure as Error).message).toContain("https://mail.example.com/v1/me: give that address");
  }
  expect(server.asked).toHaveLength(calls.length);
});

test.each(["[]", "null", '"x"', "5", "", "<h1>Welcome to a proxy</h1>"])("JSON of another shape: %s", async (body) => {
  await using server = await scripted(reply(200, body));
  const client = server.client();
  const calls = [() => client.me(), () => client.bootstrap(), () => client.openMailbox(), () => client.inbox().first()];
  for (const call of calls) {
    await expect(call()).rejects.toBeInstanceOf(UnexpectedAnswerError);
  }
  expect(server.asked).toHaveLength(calls.length);
  await using bare = await scripted(reply(200)); // without a mark a wait would begin by the clock
  await expect(bare.client().bootstrap()).rejects.toBeInstanceOf(UnexpectedAnswerError);
  await expect(bare.client().openMailbox()).rejects.toBeInstanceOf(UnexpectedAnswerError);
});

test("it gives up", async () => {
  const slow = reply(429, { error: "Slow down.", code: "rate_limited" }, { "Retry-After": "3" });
  await using server = await scripted(slow);
  const failure = await server.client({ maxRetries: 1 }).me().catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(failure).toMatchObject({ retryAfter: 3, code: "rate_limited", message: "Slow down." });
  expect(server.asked).toHaveLength(2);
});

describe.each<[string, Step]>([["cut", cut], ["halfway", halfway], ["502", reply(502)], ["500", reply(500)]])(
  "%s",
  (_, fault) => {
    test("what is safe is repeated", async () => {
      await using server = await scripted(fault, reply(200, HEALTH));
      expect((await server.client().health()).status).toBe("ok");
      expect(server.asked).toHaveLength(2);
    });

    test("what is not safe is not", async () => {
      await using server = await scripted(fault, reply(200));
      await expect(server.client().createMailbox({ name: "wren" })).rejects.toBeInstanceOf(MailkinError);
      await expect(server.client().code({ consume: true })).resolves.toBeTruthy();
      expect(server.asked).toHaveLength(2);
    });

    test("one key per send", async () => {
      await using server = await scripted(fault, reply(200));
      const client = server.client();
      await client.send({ to: "a@x.test", subject: "One" });
      await client.send({ to: "a@x.test", subject: "Two" });
      await client.send({ to: "a@x.test", subject: "Three" }, { idempotencyKey: "of-my-own-making" });
      const keys = server.asked.map(({ request }) => request.headers["idempotency-key"]);
      expect(keys).toHaveLength(4);
      expect(keys[0]).toBe(keys[1]);
      expect(server.asked[0]!.body.equals(server.asked[1]!.body)).toBe(true);
      expect(keys[2]).not.toBe(keys[0]);
      expect(keys[3]).toBe("of-my-own-making");
    });
  },
);

test("a code that is handed out once is not asked for again", async () => {
  await using server = await scripted(cut, reply(200));
  await expect(server.client().code({ consume: true })).rejects.toBeInstanceOf(APIConnectionError);
  expect(server.asked).toHaveLength(1);
});

test("who never answers, and who answers something else", async () => {
  await using server = await scripted(() => undefined, reply(200, "<h1>Welcome to a proxy</h1>"));
  await expect(server.client({ timeout: 0.05, maxRetries: 0 }).me()).rejects.toBeInstanceOf(APITimeoutError);
  await expect(server.client({ maxRetries: 0 }).me()).rejects.toThrow("no JSON: is that a Mailkin?");
});

test("a server that is not up yet is asked again, whatever it is asked", async () => {
  const { url } = await (async () => {
    await using gone = await scripted(reply(200));
    return gone;
  })();
  const tried: string[] = [];
  const own: typeof fetch = (input, init) => {
    tried.push(String(input));
    return fetch(input, init);
  };
  const client = new Mailkin({ baseUrl: url, fetch: own });
  await expect(client.createMailbox({ name: "wren" })).rejects.toThrow("ECONNREFUSED");
  expect(tried).toHaveLength(4);
});

test("a file is sent again, a stream is not", async () => {
  await using server = await scripted(reply(503), reply(200));
  await server.client().attachToDraft("1", { file: { name: "a", content: "x".repeat(1000) } });
  const [one, two] = server.asked.map(({ body }) => body);
  expect(one!.includes("x".repeat(1000)) && one!.equals(two!)).toBe(true);
  await using other = await scripted(reply(503), reply(200));
  const content = new Blob(["x"]).stream();
  const once = other.client().attachToDraft("1", { file: { name: "a", content } });
  await expect(once).rejects.toMatchObject({ status: 503 });
});

test("a download goes on where it broke", async () => {
  const first: Step = ({ response, request }) => {
    response.writeHead(200, { ETag: '"1"', "Content-Length": "11" });
    response.write("hello", () => request.socket.end());
  };
  await using server = await scripted(first, reply(206, " world", { ETag: '"1"' }));
  expect(await server.client().attachment({ id: "1" }).text()).toBe("hello world");
  expect(server.asked[1]!.request.headers.range).toBe("bytes=5-");
  await using other = await scripted(first, reply(206, " world", { ETag: '"2"' })); // another file by now
  await expect(other.client().attachment({ id: "1" }).bytes()).rejects.toBeInstanceOf(APIConnectionError);
});

function event(n: number): string {
  return `id: ${n}\nevent: message.received\ndata: {"event":"message.received","subject":"n${n}"}\n\n`;
}

function stream(...pieces: string[]): Step {
  return async ({ response, request }) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const piece of ["retry: 1000\n\n: keepalive\n\n", ...pieces]) {
      await new Promise((done) => response.write(piece, done));
    }
    request.socket.end();
  };
}

test("events without a gap or a duplicate", async () => {
  await using server = await scripted(
    stream(event(1), event(2), event(3).slice(0, -20)), cut, reply(503, {}, { "Retry-After": "1" }),
    stream(event(2), event(3).replaceAll("\n", "\r\n")), stream(), stream(event(4)),
  );
  const seen: string[] = [];
  const events = server.client({ maxRetries: 0 }).events();
  for await (const { subject } of events) {
    if (seen.push(subject) === 4) {
      break;
    }
  }
  expect(seen).toEqual(["n1", "n2", "n3", "n4"]);
  expect(events.lastId).toBe("4");
  expect(server.asked.map(({ url }) => url.searchParams.get("last_event_id"))).toEqual([null, "2", "2", "2", "3", "3"]);
  expect(server.asked[1]!.url.searchParams.get("since")).toMatch(/^20.*Z$/);
});

test("events end with what is no fault", async () => {
  await using server = await scripted(reply(401, { error: "Unauthorized" }));
  const first = server.client().events()[Symbol.asyncIterator]().next();
  await expect(first).rejects.toBeInstanceOf(AuthenticationError);
  await using other = await scripted(reply(200, "<h1>Welcome to a proxy</h1>", { "Content-Type": "text/html" }));
  const next = other.client().events()[Symbol.asyncIterator]().next();
  await expect(next).rejects.toBeInstanceOf(UnexpectedAnswerError);
  expect(other.asked).toHaveLength(1);
});

test("a stream that ends at once is not opened again at once", async () => {
  await using server = await scripted(stream(), stream(), stream(event(1)));
  for await (const { subject } of server.client().events()) {
    expect(subject).toBe("n1");
    break;
  }
  expect(pauses).toHaveLength(2);
});

test("a wait goes on after faults, and keeps to its time", async () => {
  await using faulty = await scripted(cut, reply(503), reply(429), reply(200, { email: { id: "1", subject: "One" } }));
  const box = new Mailbox(faulty.client(), "a@x.test", "1");
  expect((await box.waitForMessage({ timeout: 30 })).subject).toBe("One");
  expect(faulty.asked.map(({ url }) => url.searchParams.get("after"))).toEqual(["1", "1", "1", "1"]);
  await using server = await scripted(reply(429, { error: "Slow down." }, { "Retry-After": "60" }));
  const other = new Mailbox(server.client(), "a@x.test", "1");
  for (const late of [() => other.waitForMessage({ timeout: 0.3 }), () => other.waitForCode({ timeout: 0.3 })]) {
    const failure = await late().catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(WaitTimeoutError);
    expect((failure as Error).message).toContain("The last attempt failed: Slow down.");
  }
  await expect(other.expectNothing(0.3)).rejects.toBeInstanceOf(RateLimitError); // not that nothing came
  expect(Math.max(...pauses.slice(3))).toBeLessThanOrEqual(0.3);
});

test("a server that is down is not a mailbox in which nothing is", async () => {
  const { url } = await (async () => {
    await using gone = await scripted(reply(200));
    return gone;
  })();
  const box = new Mailbox(new Mailkin({ baseUrl: url }), "a@x.test", "1");
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await expect(box.expectNothing(0.2)).rejects.toBeInstanceOf(APIConnectionError);
      await expect(box.waitForCode({ timeout: 0.2 })).rejects.toThrow("The last attempt failed: The server could not");
    }),
  );
});

test("a wait keeps to its time where the server hangs", async () => {
  await using server = await scripted(() => undefined);
  const box = new Mailbox(server.client({ timeout: 600 }), "a@x.test", "1");
  const begun = performance.now();
  const message = "The last attempt failed: The server did not answer in time.";
  await Promise.all([
    expect(box.waitForCode({ timeout: 0.1 })).rejects.toThrow(message),
    expect(box.waitForMessage({ timeout: 0.1 })).rejects.toThrow(message),
    expect(box.expectNothing(0.1)).rejects.toBeInstanceOf(APITimeoutError),
  ]);
  expect(performance.now() - begun).toBeLessThan(60_000);
});

const CODE = { id: "m", code: "482915", event_id: "2" };

test("a code is consumed once", async () => {
  const there = reply(200, CODE);
  await using server = await scripted(cut, reply(502), there, reply(503), there, there);
  expect(await new Mailbox(server.client(), "a@x.test", "1").waitForCode({ consume: true })).toBe("482915");
  const taken = server.asked.map(({ url }) => url.searchParams.get("consume"));
  expect(taken).toEqual([null, null, null, "true", null, "true"]);
  await using broken = await scripted(there, cut, there); // whether it was taken then, nobody knows
  const failure = new Mailbox(broken.client(), "a@x.test", "1").waitForCode({ consume: true });
  await expect(failure).rejects.toBeInstanceOf(APIConnectionError);
  expect(broken.asked).toHaveLength(2);
  await using other = await scripted(there, reply(200, { code: null }), there); // another call has it
  expect(await new Mailbox(other.client(), "a@x.test", "1").waitForCode({ consume: true })).toBe("482915");
  expect(other.asked.map(({ url }) => url.searchParams.get("after"))).toEqual(["1", "1", "2", "2"]);
});

test("odd timeouts", async () => {
  await using server = await scripted(reply(200, CODE));
  const box = new Mailbox(server.client(), "a@x.test", "1");
  for (const timeout of [0, -1, 0.001, Infinity]) {
    expect(await box.waitForCode({ after: "1", timeout })).toBe("482915"); // what is there is found
  }
  await expect(box.waitForCode({ timeout: NaN })).rejects.toThrow("no number");
  await expect(box.waitForLink({ kind: "nonsense" as "other" })).rejects.toThrow("no kind of links");
});

test("an expectation looks at all that is there, also where its time is short", async () => {
  const known = Array.from({ length: 20 }, (_, n) => reply(200, { email: { id: `m${n}` }, event_id: String(n + 2) }));
  const slowly = known.map((step): Step => async (asked) => {
    await new Promise((done) => setTimeout(done, 10));
    await step(asked);
  });
  const last = reply(200, { email: { id: "x", subject: "A surprise", received_at: "", from_address: "" } });
  await using server = await scripted(...known, ...slowly, last);
  const box = new Mailbox(server.client(), "a@x.test", "1");
  for (const _ of known) {
    await box.waitForMessage();
  }
  await expect(box.expectNothing(0.05)).rejects.toBeInstanceOf(UnexpectedMessageError);
});

test("what fails here is not the server's fault", async () => {
  await using server = await scripted(reply(200));
  const upload = (content: Content) => server.client().attachToDraft("1", { file: { name: "a", content } });
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    throw new Error("disk gone");
  };
  await expect(upload(broken())).rejects.toThrow(/^disk gone$/);
  await expect(upload(createReadStream(join(import.meta.dirname, "nowhere")))).rejects.toThrow(/^ENOENT/);
  const path = join(import.meta.dirname, "gone.bin");
  writeFileSync(path, "x");
  const gone = await openAsBlob(path);
  rmSync(path);
  await expect(upload(gone)).rejects.toThrow("could not be read");
  const nameless = new Blob(["x"]) as File;
  await expect(server.client().attachToDraft("1", { file: nameless })).rejects.toThrow("has no name");
});
