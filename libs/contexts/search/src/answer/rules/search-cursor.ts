import { DEGRADED_REASONS, type DegradedReason } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import type { RetrievalPlan } from '../../keyword/rules/retrieval-plan.ts';
import type { SearchPosition } from '../../keyword/session-match.ts';
import { fingerprintQuery, parseCursor, readDate, readLane, readPlan, refuseCursor } from './cursor-parts.ts';
import type { CursorQuery, LanePosition } from './cursor-parts.ts';

/** Start of the next page of a keyword search. */
export interface SearchCursor extends LanePosition {
  /** The time as of which all pages show the corpus. */
  readonly asOf: Date;
  /** The method by which the candidates were found: all pages rank the same candidates. */
  readonly plan: RetrievalPlan;
  /** Last session of the ranking that was shown, or skipped because it is in the lane; null if there is none. */
  readonly after: SearchPosition | null;
  /** Number of identified sessions that do not match the words: they are added to the total. */
  readonly namedUnmatched: number;
  /**
   * Reasons why the first page used only keywords although more was requested: later pages continue in the same way.
   */
  readonly reasons?: readonly DegradedReason[] | undefined;
}

/** Returns the position as an opaque string that is valid only for this query. */
export function encodeSearchCursor(query: CursorQuery, cursor: SearchCursor): string {
  const { asOf, plan, after, namedIds, namedShown, namedUnmatched, reasons } = cursor;
  const walkedRows = plan.arm === 'walk' ? plan.rows : 0;
  const position = after === null ? null : [after.score, after.lastMatchAt.toISOString(), after.sessionId];
  const lane = [namedIds, namedShown, namedUnmatched];
  const parts: unknown[] = [fingerprintQuery(query), asOf.toISOString(), plan.arm, walkedRows, position, lane];
  if (reasons !== undefined) parts.push(reasons);
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Returns the position that a cursor names.
 * @throws invalid_request for a string that is not a cursor of a search, or is the cursor of another query
 */
export function decodeSearchCursor(query: CursorQuery, text: string): SearchCursor {
  const parts = parseCursor(text);
  if (!Array.isArray(parts) || (parts.length !== 6 && parts.length !== 7))
    throw refuseCursor('is not a cursor of a search');
  const [print, asOfText, arm, walkedRows, position, laneParts, reasonParts] = parts as unknown[];
  const asOf = readDate(asOfText);
  const plan = readPlan(arm, walkedRows);
  const after = position === null ? null : readPosition(position);
  const lane = readLane(laneParts);
  const reasons = reasonParts === undefined ? [] : readReasons(reasonParts);
  if (asOf === undefined || plan === undefined || after === undefined || lane === undefined || reasons === undefined) {
    throw refuseCursor('is not a cursor of a search');
  }
  if (print !== fingerprintQuery(query)) throw refuseCursor('belongs to another query or to other filters');
  return { asOf, plan, after, ...lane, ...(reasonParts === undefined ? {} : { reasons }) };
}

function readPosition(value: unknown): SearchPosition | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [score, lastMatchText, sessionId] = value as unknown[];
  const lastMatchAt = readDate(lastMatchText);
  const fits = typeof score === 'number' && Number.isFinite(score) && isUuid(sessionId);
  return fits && lastMatchAt !== undefined ? { score, lastMatchAt, sessionId } : undefined;
}

function readReasons(value: unknown): DegradedReason[] | undefined {
  const isReason = (code: unknown): code is DegradedReason =>
    typeof code === 'string' && Object.hasOwn(DEGRADED_REASONS, code);
  return Array.isArray(value) && value.length > 0 && value.every(isReason) ? value : undefined;
}
