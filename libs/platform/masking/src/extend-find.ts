import type { Find } from './credential.ts';

/** A find shorter than this ended where its rule ends. */
const LONG = 250;
const MORE = /[A-Za-z0-9+/_=.~%-]*/y;

/** The rules read a bounded length; what they found may be longer, such as the session token of a cloud. */
export function extendFind(text: string, find: Find): Find {
  if (find.secret !== undefined || find.end - find.start < LONG) return find;
  MORE.lastIndex = find.end;
  MORE.exec(text);
  return MORE.lastIndex === find.end ? find : { ...find, end: MORE.lastIndex };
}
