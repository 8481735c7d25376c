/**
 * Sets a file up: what all its tests share is opened before the first of them and closed after the last. Called inside
 * tests and hooks, the function that is given back answers it.
 */
export function useOpened<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): () => T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return () => {
    if (opened === undefined) throw new Error('asked for before it was opened');
    return opened;
  };
}
