interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * A list. Awaiting it returns its first page; iterating over it (`for await`) yields every item of every page, and
 * reads one page at a time.
 */
export interface Pages<P extends Page<Item>, Item> extends PromiseLike<P>, AsyncIterable<Item> {
  /** Iterates the pages themselves. */
  pages(): AsyncGenerator<P, void, void>;
}

/** Creates a list, which reads nothing before it is awaited or iterated, and reads the first page only once. */
export function createPages<P extends Page<Item>, Item>(
  read: (cursor: string | undefined) => Promise<P>,
): Pages<P, Item> {
  let first: Promise<P> | undefined;
  const readFirst = (): Promise<P> => (first ??= read(undefined));
  async function* listPages(): AsyncGenerator<P, void, void> {
    let page = await readFirst();
    yield page;
    while (page.next_cursor !== null) {
      page = await read(page.next_cursor);
      yield page;
    }
  }
  return {
    then: (onDone, onFailed) => readFirst().then(onDone, onFailed),
    pages: listPages,
    async *[Symbol.asyncIterator]() {
      for await (const page of listPages()) yield* page.items;
    },
  };
}
