/** What happens in a mailbox, as it happens. */

import type { Opened } from "./call.js";
import { APIConnectionError, APIError, RateLimitError, ServerError, UnexpectedAnswerError } from "./errors.js";
import type { Event } from "./models.js";
import { backoff, sleep } from "./request.js";

// How often in a row a stream may fail to open before that is an error: most of a minute.
const MOST_FAILURES = 15;
// What a stream replays that does not say from where, in milliseconds.
const REPLAY = 60_000;

/**
 * What happens in the mailbox, as it happens. The stream is opened again where it ends or breaks, and goes on after the
 * last event: none is missed and none comes twice. It ends with `break`, with `close()`, or with its signal.
 */
export class Events implements AsyncIterable<Event> {
  readonly #open: (params: object, closing: AbortSignal) => Promise<Opened>;
  readonly #feed: Feed;
  readonly #signals: readonly AbortSignal[];
  readonly #closing = new AbortController();

  /** @internal */
  constructor(
    open: (params: object, closing: AbortSignal) => Promise<Opened>,
    params: object,
    signal: AbortSignal | undefined,
  ) {
    this.#open = open;
    this.#feed = new Feed(params);
    this.#signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
  }

  /** The id of the last event that was seen: give it to `events({ last_event_id })` to go on there. */
  get lastId(): string | undefined {
    return this.#feed.lastId;
  }

  /** End the stream, from anywhere. */
  close(): void {
    this.#closing.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    while (!this.#closing.signal.aborted) {
      try {
        const opened = await this.#open(this.#feed.params, this.#closing.signal);
        yield* this.#follow(opened);
        await sleep(backoff(0), this.#signals);
      } catch (error) {
        if (this.#closing.signal.aborted) {
          return;
        }
        await sleep(this.#feed.failed(error), this.#signals).catch((reason: unknown) => {
          if (!this.#closing.signal.aborted) {
            throw reason;
          }
        });
      }
    }
  }

  async *#follow({ response, chunks, close }: Opened): AsyncGenerator<Event, void, undefined> {
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      await close();
      throw new UnexpectedAnswerError(`What ${response.url} answered is no stream of events: is that a Mailkin?`);
    }
    this.#feed.opened(response);
    for await (const line of linesOf(chunks)) {
      const event = this.#feed.line(line);
      if (event !== undefined) {
        yield event;
      }
    }
  }
}

/** Where a stream is, and what comes of its lines (server-sent events). */
class Feed {
  params: { since?: unknown; last_event_id?: unknown };
  #failures = 0;
  #id = "";
  #data: string[] = [];

  constructor(params: object) {
    this.params = { ...params };
  }

  get lastId(): string | undefined {
    const last = this.params.last_event_id;
    return last === undefined || last === null ? undefined : String(last);
  }

  opened(response: Response): void {
    this.#id = "";
    this.#data = [];
    // By the server's clock: however long the next attempt takes, it begins where this one did.
    const now = Date.parse(response.headers.get("Date") ?? "");
    if (this.params.since === undefined && this.lastId === undefined && !Number.isNaN(now)) {
      this.params.since = new Date(now - REPLAY);
    }
  }

  line(line: string): Event | undefined {
    this.#failures = 0;
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") {
      this.#data.push(value ?? "");
    } else if (name === "id") {
      this.#id = value ?? "";
    } else if (line === "") {
      const data = this.#data.join("\n");
      this.#data = [];
      if (data !== "" && this.#isNew()) {
        return JSON.parse(data) as Event;
      }
    }
    return undefined;
  }

  /** Whether the event that is complete now was not seen before. Ids grow. */
  #isNew(): boolean {
    const last = this.lastId ?? "";
    if (/^\d+$/.test(last) && /^\d+$/.test(this.#id) && BigInt(this.#id) <= BigInt(last)) {
      return false;
    }
    this.params.last_event_id = this.#id;
    return true;
  }

  /** How many seconds to wait before the stream is opened again, or the error, where that is of no use. */
  failed(error: unknown): number {
    const passing =
      error instanceof APIConnectionError || error instanceof ServerError || error instanceof RateLimitError;
    if (!passing || ++this.#failures > MOST_FAILURES) {
      throw error;
    }
    return backoff(this.#failures, error instanceof APIError ? error.retryAfter : undefined);
  }
}

/** The lines of a text that comes in pieces. What comes after the last end of a line is not complete. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
  }
}
