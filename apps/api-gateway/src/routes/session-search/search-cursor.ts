import { AppError, isUuid } from '@steward/runtime';
import type { SearchPosition } from '@steward/slice-search';

/** A cursor stands for one query: its position, and the moment whose corpus all pages show. */
export interface SearchCursor {
  readonly asOf: Date;
  readonly after: SearchPosition;
}

/** The last session of a page as an opaque text. */
export function encodeSearchCursor(asOf: Date, last: SearchPosition): string {
  const parts = [asOf.toISOString(), last.score, last.lastMatchAt.toISOString(), last.sessionId];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws invalid_request for a text that is no cursor of a search. */
export function decodeSearchCursor(text: string): SearchCursor {
  const parts = parse(text);
  if (Array.isArray(parts) && parts.length === 4) {
    const [asOf, score, lastMatchAt, sessionId] = parts as unknown[];
    const dates = [asOf, lastMatchAt].map((value) => new Date(typeof value === 'string' ? value : Number.NaN));
    const [asOfDate, lastMatchDate] = dates;
    const fits =
      typeof score === 'number' &&
      Number.isFinite(score) &&
      isUuid(sessionId) &&
      dates.every((date) => !Number.isNaN(date.getTime()));
    if (fits && asOfDate !== undefined && lastMatchDate !== undefined) {
      return { asOf: asOfDate, after: { score, lastMatchAt: lastMatchDate, sessionId } };
    }
  }
  throw new AppError('invalid_request', {
    message: '"cursor" is not a cursor of a search.',
    detail: { field: 'cursor' },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
