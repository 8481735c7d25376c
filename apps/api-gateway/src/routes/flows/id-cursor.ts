import { AppError, isUuid } from '@steward/runtime';

/** The id of a cursor over time-ordered ids; a forged one that is no id is refused before it reaches the database. */
export function requireIdCursor(cursor: { readonly id: string } | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  if (isUuid(cursor.id)) return cursor.id;
  throw new AppError('invalid_request', {
    message: '"cursor" is not a cursor of this list.',
    detail: { field: 'cursor' },
  });
}
