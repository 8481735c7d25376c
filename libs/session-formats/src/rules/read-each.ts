import type { SessionItem } from '../session-item.ts';
import { toFields, type Fields } from './json-access.ts';

/** Yields the entries of the first list, then those of the second. */
export function* concat(
  before: Iterable<SessionItem>,
  after: Iterable<SessionItem>,
): Generator<SessionItem, void, undefined> {
  yield* before;
  yield* after;
}

/** Yields the entries of a list's values one after another, each created on demand. */
export function* readEach(
  values: Iterable<unknown>,
  read: (fields: Fields, index: number) => Iterable<SessionItem>,
): Generator<SessionItem, void, undefined> {
  let index = 0;
  for (const value of values) {
    yield* read(toFields(value), index);
    index += 1;
  }
}
