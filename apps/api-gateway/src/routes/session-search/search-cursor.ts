import { createHash } from 'node:crypto';
import { AppError, isUuid } from '@steward/runtime';
import type { KeywordSearchInput, RetrievalPlan, SearchPosition } from '@steward/slice-search';

/** Where the next page of one query begins. */
export interface SearchCursor {
  /** The moment whose corpus all pages show. */
  readonly asOf: Date;
  /** How its candidates were found: all pages rank the same ones. */
  readonly plan: RetrievalPlan;
  /** Last ranked session shown; null when none was. */
  readonly after: SearchPosition | null;
  /** Sessions the first page found by their identifier: no later page ranks them again. */
  readonly namedIds: readonly string[];
  /** How many of these were shown. */
  readonly namedShown: number;
  /** How many of these the words do not match: they count in the total. */
  readonly namedUnmatched: number;
}

type CursorQuery = Pick<KeywordSearchInput, 'accountId' | 'query' | 'strictness' | 'filter'>;

/** The position as an opaque text that fits this query alone. */
export function encodeSearchCursor(query: CursorQuery, cursor: SearchCursor): string {
  const { asOf, plan, after, namedIds, namedShown, namedUnmatched } = cursor;
  const walkedRows = plan.arm === 'walk' ? plan.rows : 0;
  const position = after === null ? null : [after.score, after.lastMatchAt.toISOString(), after.sessionId];
  const lane = [namedIds, namedShown, namedUnmatched];
  const parts = [fingerprint(query), asOf.toISOString(), plan.arm, walkedRows, position, lane];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws invalid_request for a text that is no cursor of a search, and for the cursor of another query. */
export function decodeSearchCursor(query: CursorQuery, text: string): SearchCursor {
  const parts = parse(text);
  if (!Array.isArray(parts) || parts.length !== 6) throw refuse('is not a cursor of a search');
  const [print, asOfText, arm, walkedRows, position, laneParts] = parts as unknown[];
  const asOf = readDate(asOfText);
  const plan = readPlan(arm, walkedRows);
  const after = position === null ? null : readPosition(position);
  const lane = readLane(laneParts);
  if (asOf === undefined || plan === undefined || after === undefined || lane === undefined) {
    throw refuse('is not a cursor of a search');
  }
  if (print !== fingerprint(query)) throw refuse('belongs to another query or to other filters');
  return { asOf, plan, after, ...lane };
}

/** Without the ends of the time range: "the last seven days" is another range on every page, by what little time has passed. */
function fingerprint({ accountId, query, strictness, filter }: CursorQuery): string {
  const { startDate, endDate, ...lasting } = filter;
  const facts = JSON.stringify([accountId, query, strictness, lasting, startDate === undefined, endDate === undefined]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 12);
}

function readPosition(value: unknown): SearchPosition | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [score, lastMatchText, sessionId] = value as unknown[];
  const lastMatchAt = readDate(lastMatchText);
  const fits = typeof score === 'number' && Number.isFinite(score) && isUuid(sessionId);
  return fits && lastMatchAt !== undefined ? { score, lastMatchAt, sessionId } : undefined;
}

function readPlan(arm: unknown, walkedRows: unknown): RetrievalPlan | undefined {
  if (arm === 'all' || arm === 'index') return { arm };
  const isRowCount = typeof walkedRows === 'number' && Number.isSafeInteger(walkedRows) && walkedRows > 0;
  return arm === 'walk' && isRowCount ? { arm, rows: walkedRows } : undefined;
}

function readLane(value: unknown): Pick<SearchCursor, 'namedIds' | 'namedShown' | 'namedUnmatched'> | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [namedIds, namedShown, namedUnmatched] = value as unknown[];
  if (!Array.isArray(namedIds) || !namedIds.every((id) => isUuid(id))) return undefined;
  const isCount = (count: unknown): count is number =>
    Number.isInteger(count) && (count as number) >= 0 && (count as number) <= namedIds.length;
  return isCount(namedShown) && isCount(namedUnmatched) ? { namedIds, namedShown, namedUnmatched } : undefined;
}

/** Exactly what was written: JavaScript has years that Postgres does not. */
function readDate(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-/.test(value)) return undefined;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value ? date : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function refuse(problem: string): AppError {
  return new AppError('invalid_request', { message: `"cursor" ${problem}.`, detail: { field: 'cursor' } });
}
