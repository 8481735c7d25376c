import { AppError, isUuid } from '@steward/runtime';
import type { RetrievalPlan, SearchPosition } from '@steward/slice-search';

/** A cursor stands for one query: its position, the moment whose corpus all pages show, and how its candidates were found. */
export interface SearchCursor {
  readonly asOf: Date;
  readonly plan: RetrievalPlan;
  readonly after: SearchPosition;
}

/** The last session of a page as an opaque text. */
export function encodeSearchCursor({ asOf, plan, after }: SearchCursor): string {
  const walkedRows = plan.arm === 'walk' ? plan.rows : 0;
  const { score, lastMatchAt, sessionId } = after;
  const parts = [asOf.toISOString(), score, lastMatchAt.toISOString(), sessionId, plan.arm, walkedRows];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws invalid_request for a text that is no cursor of a search. */
export function decodeSearchCursor(text: string): SearchCursor {
  const parts = parse(text);
  if (Array.isArray(parts) && parts.length === 6) {
    const [asOf, score, lastMatchAt, sessionId, arm, walkedRows] = parts as unknown[];
    const plan = readPlan(arm, walkedRows);
    const dates = [asOf, lastMatchAt].map((value) => new Date(typeof value === 'string' ? value : Number.NaN));
    const [asOfDate, lastMatchDate] = dates;
    const fits =
      typeof score === 'number' &&
      Number.isFinite(score) &&
      isUuid(sessionId) &&
      dates.every((date) => !Number.isNaN(date.getTime()));
    if (fits && plan !== undefined && asOfDate !== undefined && lastMatchDate !== undefined) {
      return { asOf: asOfDate, plan, after: { score, lastMatchAt: lastMatchDate, sessionId } };
    }
  }
  throw new AppError('invalid_request', {
    message: '"cursor" is not a cursor of a search.',
    detail: { field: 'cursor' },
  });
}

function readPlan(arm: unknown, walkedRows: unknown): RetrievalPlan | undefined {
  if (arm === 'all' || arm === 'index') return { arm };
  const isRowCount = typeof walkedRows === 'number' && Number.isSafeInteger(walkedRows) && walkedRows > 0;
  return arm === 'walk' && isRowCount ? { arm, rows: walkedRows } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
