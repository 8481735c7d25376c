import type { Find } from './credential.ts';

/** Minimum length of a match that may have been truncated by the length limit of its rule. */
const LONG = 250;
const MORE = /[A-Za-z0-9+/_=.~%-]*/y;

/**
 * Extends a match: the rules read a bounded length, but the credential may be longer, such as a cloud session token.
 */
export function extendFind(text: string, find: Find): Find {
  if (find.secret !== undefined || find.end - find.start < LONG) return find;
  MORE.lastIndex = find.end;
  MORE.exec(text);
  return MORE.lastIndex === find.end ? find : { ...find, end: MORE.lastIndex };
}
