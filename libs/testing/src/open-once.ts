import { releaseAtEnd } from './release-at-end.ts';

/**
 * Returns a function that opens something with its first call, for all test files that this process runs; it stays open
 * until the process ends.
 */
export function openOnce<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () =>
    (opening ??= open().then((opened) => {
      releaseAtEnd(() => opened.close());
      return opened;
    }));
}
