import { Type, type TSchema } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import { nullable } from './nullable.ts';

const DEFAULT_LIMIT = 50;
const NOT_A_CURSOR = '"cursor" is not a cursor of this list.';

/** Parameters `limit` and `cursor` of every list (API-11). */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: DEFAULT_LIMIT, description: 'Items per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: 'Opaque cursor: `next_cursor` of the previous page.' }),
  ),
};

/** Returns the schema of the `query` parameter of a list with a text filter. */
export const textFilter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

/** Query of a list without other parameters. */
export const PlainPageQuery = Type.Object(PageQuery, { additionalProperties: false });

interface Asked {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns the page size of the request. */
export function readLimit(query: Pick<Asked, 'limit'>): number {
  return query.limit ?? DEFAULT_LIMIT;
}

/** Returns the response schema of a list of `item`. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(Type.String(), 'Cursor of the next page; null on the last page.'),
  });
}

export function encodeCursor(sortKey: Date | string, id: string): string {
  const key = typeof sortKey === 'string' ? sortKey : sortKey.toISOString();
  return Buffer.from(JSON.stringify([key, id])).toString('base64url');
}

/**
 * Returns the position that a cursor names.
 * @throws invalid_request if the string is not a valid cursor
 */
export function decodeCursor(text: string | undefined): { readonly sortKey: string; readonly id: string } | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
    if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')) {
      return { sortKey: value[0] as string, id: value[1] as string };
    }
  } catch {
    // The error is thrown below: the exact defect of a forged cursor is irrelevant.
  }
  throw refuseCursor();
}

/**
 * Returns the position in a list ordered by (time, uuid). Both parts are checked, so that a forged cursor is rejected
 * instead of causing a database error.
 */
export function decodeTimeCursor(text: string | undefined): { readonly at: Date; readonly id: string } | undefined {
  const cursor = decodeCursor(text);
  if (cursor === undefined) return undefined;
  const at = new Date(cursor.sortKey);
  if (!/^\d{4}-/.test(cursor.sortKey) || Number.isNaN(at.getTime()) || !isUuid(cursor.id)) throw refuseCursor();
  return { at, id: cursor.id };
}

function refuseCursor(): AppError {
  return new AppError('invalid_request', {
    message: NOT_A_CURSOR,
    detail: { field: 'cursor' },
  });
}

/**
 * Returns the position in a list ordered by a number; the cursor of such a list is `encodeCursor('', String(number))`.
 * @throws invalid_request if the string is not such a cursor
 */
export function decodeNumberCursor(text: string | undefined): number | undefined {
  const id = decodeCursor(text)?.id;
  if (id === undefined || /^\d{1,9}$/.test(id)) return id === undefined ? undefined : Number(id);
  throw refuseCursor();
}

/** Returns the cursor of a list with time-ordered ids: the position consists of the id only. */
export function encodeIdCursor(id: string): string {
  return encodeCursor('', id);
}

/**
 * Returns the id that a cursor names.
 * @throws invalid_request if the string is not such a cursor, before any part of it reaches the database
 */
export function decodeIdCursor(text: string | undefined): string | undefined {
  const cursor = decodeCursor(text);
  if (cursor === undefined || isUuid(cursor.id)) return cursor?.id;
  throw refuseCursor();
}

/**
 * Reads the page request of a list with time-ordered ids, newest first.
 * @throws invalid_request if the cursor does not belong to such a list
 */
export function readIdPage(query: Asked): {
  readonly limit: number;
  readonly beforeId: string | undefined;
} {
  return { limit: readLimit(query), beforeId: decodeIdCursor(query.cursor) };
}

/**
 * Reads the page request of a list ordered by (time, id), newest first.
 * @throws invalid_request if the cursor does not belong to such a list
 */
export function readTimePage(query: Asked): {
  readonly limit: number;
  readonly after: { readonly at: Date; readonly id: string } | undefined;
} {
  return { limit: readLimit(query), after: decodeTimeCursor(query.cursor) };
}

/** Turns a list with time-ordered ids, fetched with one row more than the limit, into a page. */
export function toIdPage<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  return toPage(rows, limit, { item, cursor: (row) => encodeIdCursor(row.id) });
}

/** Turns a list, fetched with one row more than the limit, into a page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  map: { readonly item: (row: Row) => Item; readonly cursor: (row: Row) => string },
): { items: Item[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(map.item),
    next_cursor: rows.length > limit && last !== undefined ? map.cursor(last) : null,
  };
}
