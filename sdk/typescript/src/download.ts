/** Files of the server. */

import type { Opened } from "./call.js";
import { randomHex, streamOf } from "./content.js";
import { APIConnectionError, MailkinError } from "./errors.js";
import { backoff, sleep } from "./request.js";
import { files, paths } from "./runtime.js";

/**
 * A file of the server. It is fetched when it is read or saved, and is never in memory as a whole unless you ask for
 * that. Where the connection breaks, it is fetched from there on.
 */
export class Download implements AsyncIterable<Uint8Array> {
  readonly #open: (headers: Record<string, string>) => Promise<Opened>;
  readonly #retries: number;

  /** @internal */
  constructor(open: (headers: Record<string, string>) => Promise<Opened>, retries: number) {
    this.#open = open;
    this.#retries = retries;
  }

  /** Its bytes, piece by piece. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    let size = 0;
    let etag: string | null = null;
    for (let left = this.#retries; ; left--) {
      // Not compressed, else what came is not what a range counts.
      const range = size > 0 ? { Range: `bytes=${size}-` } : undefined;
      const { response, chunks, close } = await this.#open({ "Accept-Encoding": "identity", ...range });
      if (size > 0 && (response.status !== 206 || response.headers.get("ETag") !== etag)) {
        await close();
        throw new APIConnectionError("The connection broke, and the file could not be fetched from there on.");
      }
      etag = response.headers.get("ETag");
      try {
        for await (const chunk of chunks) {
          size += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        if (!(error instanceof APIConnectionError) || left <= 0 || (size > 0 && etag === null)) {
          throw error;
        }
        await sleep(backoff(0));
      }
    }
  }

  /** Its bytes as a stream, at the pace of whoever reads it. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this);
  }

  /** All of its bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await (await this.blob()).arrayBuffer());
  }

  /** All of it as text. */
  async text(): Promise<string> {
    return (await this.blob()).text();
  }

  /** All of it as a Blob. */
  async blob(): Promise<Blob> {
    const parts: BlobPart[] = [];
    for await (const chunk of this) {
      parts.push(chunk as Uint8Array<ArrayBuffer>);
    }
    return new Blob(parts);
  }

  /** Write it to a file, which is there only once it is whole. Returns its size. It needs a file system. */
  async save(path: string): Promise<number> {
    const [fs, names] = [files(), paths()];
    if (fs === undefined || names === undefined) {
      throw new MailkinError("There is no file system here: use stream().");
    }
    const part = names.join(names.dirname(path), `.${randomHex(16)}.part`);
    const file = await fs.promises.open(part, "wx");
    let size = 0;
    try {
      try {
        for await (const chunk of this) {
          for (let at = 0; at < chunk.length; ) {
            at += (await file.write(chunk, at)).bytesWritten;
          }
          size += chunk.length;
        }
      } finally {
        await file.close();
      }
      await fs.promises.rename(part, path);
    } catch (error) {
      await fs.promises.rm(part, { force: true });
      throw error;
    }
    return size;
  }
}
