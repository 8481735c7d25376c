import { createHash } from 'node:crypto';
import { AppError } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import type { KeywordSearchInput } from '../../keyword/keyword-search.ts';
import type { RetrievalPlan } from '../../keyword/rules/retrieval-plan.ts';

export type CursorQuery = Pick<KeywordSearchInput, 'accountId' | 'query' | 'strictness' | 'filter'>;

/** Sessions that were found by their identifier, and how many of them have been shown. */
export interface LanePosition {
  /** Sessions that the first page found by their identifier; later pages do not rank them again. */
  readonly namedIds: readonly string[];
  /** Number of the sessions in `namedIds` that have been shown. */
  readonly namedShown: number;
}

/**
 * Returns a hash of a query and its filters. The hash does not depend on the times in the filters ("the last seven
 * days" changes slightly with every page), or on agents that were merged in the meantime.
 */
export function fingerprintQuery({ accountId, query, strictness, filter }: CursorQuery): string {
  const { startDate, endDate, mergedPrincipalIds: _merged, ...lasting } = filter;
  const facts = JSON.stringify([accountId, query, strictness, lasting, startDate === undefined, endDate === undefined]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 12);
}

export function readPlan(arm: unknown, walkedRows: unknown): RetrievalPlan | undefined {
  if (arm === 'all' || arm === 'index') return { arm };
  const isRowCount = typeof walkedRows === 'number' && Number.isSafeInteger(walkedRows) && walkedRows > 0;
  return arm === 'walk' && isRowCount ? { arm, rows: walkedRows } : undefined;
}

export function readLane(value: unknown): (LanePosition & { readonly namedUnmatched: number }) | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [namedIds, namedShown, namedUnmatched] = value as unknown[];
  if (!Array.isArray(namedIds) || !namedIds.every((id) => isUuid(id))) return undefined;
  const isCount = (count: unknown): count is number =>
    Number.isInteger(count) && (count as number) >= 0 && (count as number) <= namedIds.length;
  return isCount(namedShown) && isCount(namedUnmatched) ? { namedIds, namedShown, namedUnmatched } : undefined;
}

/**
 * Returns a date from a cursor; its format must match exactly, since JavaScript accepts years that Postgres does not.
 */
export function readDate(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-/.test(value)) return undefined;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value ? date : undefined;
}

export function parseCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

export function refuseCursor(problem: string): AppError {
  return new AppError('invalid_request', { message: `"cursor" ${problem}.`, detail: { field: 'cursor' } });
}
