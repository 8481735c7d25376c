/**
 * Opens the resources that all tests of a file share before the first test, and closes them after the last one. Inside
 * tests and hooks, the returned function returns the resource.
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
