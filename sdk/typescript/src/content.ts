/** What is sent as bytes: a message, or a file. */

import { MailkinError } from "./errors.js";

/** Text, bytes, or something that gives bytes piece by piece, which is never in memory as a whole. */
export type Content =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/**
 * A file. Of one on the disk `await fs.openAsBlob(path)` is the content: it is read piece by piece, and again where the
 * request has to be made again. A stream can be read only once.
 */
export type Upload = File | { name: string; content: Content; type?: string | undefined };

/** A body as `fetch` takes it. */
export interface Body {
  content: NonNullable<RequestInit["body"]>;
  type: string | undefined;
  /** It can be sent again. */
  repeatable: boolean;
  /** What went wrong where it comes from. */
  fault?: unknown;
}

export function bodyOf(content: Content, type: string | undefined): Body {
  return isIterable(content)
    ? streamed(content, type)
    : { content: content as Body["content"], type, repeatable: true };
}

/** A body that is read once. */
function streamed(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>, type: string | undefined): Body {
  const body: Body = { content: "", type, repeatable: false };
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces(source);
    } catch (error) {
      body.fault = error;
      throw error;
    }
  };
  body.content = streamOf(watched());
  return body;
}

/** A form with one file. */
export function formOf(file: Upload): Body {
  const { name, type } = file;
  const content: Content = file instanceof Blob ? file : file.content;
  if (typeof name !== "string") {
    throw new MailkinError("The file has no name: give { name, content }.");
  }
  const boundary = "mailkin-" + randomHex(16);
  const head = new TextEncoder().encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; ${filename(name)}\r\n` +
      `Content-Type: ${type || "application/octet-stream"}\r\n\r\n`,
  );
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  const media = "multipart/form-data; boundary=" + boundary;
  if (isIterable(content)) {
    return streamed(joined(head, content, tail), media);
  }
  return { content: new Blob([head, content as BlobPart, tail]), type: media, repeatable: true };
}

/** A name as a header has it; where there is more in it than letters, as RFC 5987 has it. */
function filename(name: string): string {
  if (/^[ !#-[\]-~]*$/.test(name)) {
    return `filename="${name}"`;
  }
  const escaped = encodeURIComponent(name).replace(/['()*]/g, (c) => "%" + c.charCodeAt(0).toString(16));
  return `filename*=UTF-8''${escaped}`;
}

export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
}

function isIterable(content: Content): content is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> {
  return typeof content === "object" && (content instanceof ReadableStream || Symbol.asyncIterator in content);
}

async function* joined(
  head: Uint8Array,
  content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* pieces(content);
  yield tail;
}

/** What a stream gives, piece by piece. Not every browser can iterate over one. */
export async function* pieces(
  content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!(content instanceof ReadableStream)) {
    yield* content;
    return;
  }
  const reader = content.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!ended) {
      await reader.cancel().catch(() => undefined); // it has failed already, or nobody wants the rest
    }
  }
}

/** A stream of what is made piece by piece, at the pace of whoever reads it. */
export function streamOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  if (source instanceof ReadableStream) {
    return source;
  }
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
