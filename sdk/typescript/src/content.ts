/** What is sent as bytes: a message, or a file. */

/** Text, bytes, or something that gives bytes piece by piece, which is never in memory as a whole. */
export type Content =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/**
 * A file. Of one on the disk `await fs.openAsBlob(path)` is a Blob: it is read piece by piece, and again where the
 * request has to be made again. A stream can be read only once.
 */
export type Upload = Blob | { name: string; content: Content; type?: string | undefined };

/** A body as `fetch` takes it. */
export interface Body {
  content: BodyInit;
  type: string | undefined;
  /** It can be sent again. */
  repeatable: boolean;
}

export function bodyOf(content: Content, type: string | undefined): Body {
  if (isIterable(content)) {
    return { content: streamOf(content), type, repeatable: false };
  }
  return { content: content as BodyInit, type, repeatable: true };
}

/** A form with one file. */
export function formOf(file: Upload): Body {
  const named =
    file instanceof Blob
      ? { name: (file as Partial<File>).name ?? "file", content: file as Content, type: file.type }
      : file;
  const boundary = "mailkin-" + randomHex(16);
  const name = named.name.replace(/[\r\n"]/g, (c) => encodeURIComponent(c));
  const type = named.type || "application/octet-stream";
  const head = new TextEncoder().encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  const media = "multipart/form-data; boundary=" + boundary;
  const { content } = named;
  if (isIterable(content)) {
    return { content: streamOf(joined(head, content, tail)), type: media, repeatable: false };
  }
  return { content: new Blob([head, content as BlobPart, tail]), type: media, repeatable: true };
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
