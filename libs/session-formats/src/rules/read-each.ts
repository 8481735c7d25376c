import type { SessionItem } from '../session-item.ts';
import { toFields, type Fields } from './json-access.ts';

/** The entries of a list's values one after another, none made before it is asked for. */
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
