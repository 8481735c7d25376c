import { AppError, SOURCE_KINDS } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import { decodeCursor, encodeCursor } from '@steward/http';
import type { SightingPlace } from '@steward/search';

const KINDS: ReadonlySet<string> = new Set(SOURCE_KINDS);

export function encodeSightingCursor({ occurredAt, sourceKind, sourceId }: SightingPlace): string {
  return encodeCursor(occurredAt, `${sourceKind}:${sourceId}`);
}

/**
 * Returns the position that a cursor names; undefined if there is no cursor. Each part is checked, so that a forged
 * cursor is refused and cannot cause a database error.
 * @throws invalid_request
 */
export function decodeSightingCursor(text: string | undefined): SightingPlace | undefined {
  const cursor = decodeCursor(text);
  if (cursor === undefined) return undefined;
  const occurredAt = new Date(cursor.sortKey);
  const [sourceKind = '', sourceId = ''] = cursor.id.split(':', 2);
  const isTime = /^\d{4}-/.test(cursor.sortKey) && !Number.isNaN(occurredAt.getTime());
  if (isTime && KINDS.has(sourceKind) && isUuid(sourceId)) return { occurredAt, sourceKind, sourceId };
  throw new AppError('invalid_request', {
    message: '"cursor" is not a cursor of this list.',
    detail: { field: 'cursor' },
  });
}
