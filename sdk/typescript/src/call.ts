/** How requests are made, and made again where that is safe. */

import { pieces } from "./content.js";
import { Download } from "./download.js";
import { type APIError, errorOf, MailkinError, UnexpectedAnswerError } from "./errors.js";
import { Events } from "./events.js";
import { Pages } from "./pages.js";
import { Attempt, backoff, Outgoing, type Parts, type RequestOptions, sleep } from "./request.js";
import { type MailkinOptions, Settings } from "./settings.js";

/** An answer that is yet to be read. */
export interface Opened {
  response: Response;
  /** Its bytes, as they come. */
  chunks: AsyncGenerator<Uint8Array>;
  /** Leave it unread. */
  close: () => Promise<void>;
}

/** Makes requests. */
export class Caller {
  /** @internal */
  readonly _settings: Settings;

  constructor(options: MailkinOptions = {}) {
    this._settings = new Settings(options);
  }

  /** The address of the server. */
  get baseUrl(): string {
    return this._settings.baseUrl;
  }

  /** The key that is used; undefined: none. It is a password. */
  get apiKey(): string | undefined {
    return this._settings.apiKey;
  }

  /** @internal */
  async _ask<T>(method: string, path: string, parts: Parts, options: RequestOptions): Promise<T> {
    return send(new Outgoing(this._settings, method, path, parts, options), async (response, attempt) => {
      const said = await response.text();
      attempt.done();
      return (parts.into === "text" ? said : parts.into === "nothing" ? undefined : parse(said, response)) as T;
    });
  }

  /** @internal */
  _pages<P, T>(method: string, path: string, items: string, parts: Parts, options: RequestOptions): Pages<P, T> {
    const fetch = (cursor: string | undefined): Promise<P> =>
      this._ask(method, path, { ...parts, params: at(parts.params, cursor) }, options);
    return new Pages(fetch, items);
  }

  /** @internal */
  _events(method: string, path: string, parts: Parts, options: RequestOptions): Events {
    const open = (params: object, closing: AbortSignal): Promise<Opened> =>
      this.#open(new Outgoing(this._settings, method, path, { ...parts, params }, options), closing);
    return new Events(open, parts.params ?? {}, options.signal);
  }

  /** @internal */
  _download(method: string, path: string, parts: Parts, options: RequestOptions): Download {
    const open = (headers: Record<string, string>): Promise<Opened> =>
      this.#open(new Outgoing(this._settings, method, path, parts, options, headers));
    return new Download(open, options.maxRetries ?? this._settings.maxRetries);
  }

  #open(request: Outgoing, ...signals: AbortSignal[]): Promise<Opened> {
    const use = async (response: Response, attempt: Attempt): Promise<Opened> => ({
      response,
      chunks: chunksOf(response, attempt),
      close: async () => {
        attempt.done();
        await response.body?.cancel();
      },
    });
    return send(request, use, signals);
  }
}

/** Make a request. What is done with the answer belongs to the attempt, which it must end. */
async function send<T>(
  request: Outgoing,
  use: (response: Response, attempt: Attempt) => Promise<T>,
  more: readonly AbortSignal[] = [],
): Promise<T> {
  const signals = [...request.signals, ...more];
  for (let n = 0; ; n++) {
    const attempt = new Attempt(request.timeout, signals);
    const last = n >= request.maxRetries;
    let refused: APIError | undefined;
    try {
      const response = await request.fetch(attempt.signal);
      if (response.ok || response.status === 304) {
        return await use(response, attempt);
      }
      refused = await errorOf(response);
    } catch (error) {
      attempt.done();
      const fault = request.fault(error);
      if (fault !== undefined) {
        throw fault;
      }
      const failed = attempt.failure(error);
      if (last || error instanceof MailkinError || !request.againWithout(error)) {
        throw failed;
      }
    }
    attempt.done();
    if (refused !== undefined && (last || !request.againAfter(refused.status))) {
      throw refused;
    }
    await sleep(backoff(n, refused?.retryAfter), signals);
  }
}

async function* chunksOf(response: Response, attempt: Attempt): AsyncGenerator<Uint8Array> {
  try {
    if (response.body !== null) {
      for await (const chunk of pieces(response.body)) {
        attempt.goesOn();
        yield chunk;
      }
    }
  } catch (error) {
    throw attempt.failure(error);
  } finally {
    attempt.done();
  }
}

function parse(said: string, response: Response): unknown {
  if (response.status === 304) {
    return null;
  }
  let answer: unknown;
  try {
    answer = JSON.parse(said);
  } catch (error) {
    const sentence = `What ${response.url} answered is no JSON: is that a Mailkin?`;
    throw new UnexpectedAnswerError(sentence, { cause: error });
  }
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw new UnexpectedAnswerError(`What ${response.url} answered is no object of JSON: is that a Mailkin?`);
  }
  return answer;
}

/** The parameters for the page at a cursor. */
function at(params: object | undefined, cursor: string | undefined): object {
  return cursor === undefined ? { ...params } : { ...params, cursor, offset: undefined };
}
