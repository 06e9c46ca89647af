/** Lists that fetch their next page by themselves. */

/** A list of the server. Iterate over it with `for await` to get every item; nothing is asked before that. */
export class Pages<P, T> implements AsyncIterable<T> {
  readonly #fetch: (cursor: string | undefined) => Promise<P>;
  readonly #items: string;

  /** @internal */
  constructor(fetch: (cursor: string | undefined) => Promise<P>, items: string) {
    this.#fetch = fetch;
    this.#items = items;
  }

  /** One page as the server answers it; its `next_cursor` leads to the next. */
  page(cursor?: string): Promise<P> {
    return this.#fetch(cursor);
  }

  /** Every page. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetch(cursor);
      yield page;
      cursor = (page as { next_cursor?: string | null }).next_cursor || undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) {
      yield* (page as Record<string, T[] | null>)[this.#items] ?? [];
    }
  }

  /** The first item; undefined: there is none. */
  async first(): Promise<T | undefined> {
    for await (const item of this) {
      return item;
    }
    return undefined;
  }

  /** Every item, in memory. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) {
      items.push(item);
    }
    return items;
  }
}
