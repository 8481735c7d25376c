import type { RetrievalPlan } from '../../keyword/rules/retrieval-plan.ts';
import { fingerprintQuery, parseCursor, readDate, readLane, readPlan, refuseCursor } from './cursor-parts.ts';
import type { CursorQuery, LanePosition } from './cursor-parts.ts';
import type { SearchMode } from '@steward/contracts';

/** Start of the next page of a list from both halves, or only from the semantic one. */
export interface FusedCursor extends LanePosition {
  /** The time as of which all pages show the corpus. */
  readonly asOf: Date;
  /** The method by which the keyword candidates were found; undefined if keywords were not searched. */
  readonly plan: RetrievalPlan | undefined;
  /**
   * Ranked sessions shown so far, each as returned by `shortenId`. The next page continues with other sessions: nothing
   * is shown twice even if the next page is built from another list of nearest neighbors, or a half is missing.
   */
  readonly shown: readonly string[];
}

type FusedQuery = CursorQuery & { readonly mode: SearchMode };

const MARK = 'fused';
const SHORT_BYTES = 6;
const SHORT_DIGITS = SHORT_BYTES * 2;

/** Returns the end of an id, which suffices to distinguish the few hundred sessions of one list. */
export function shortenId(sessionId: string): string {
  return sessionId.slice(-SHORT_DIGITS).toLowerCase();
}

export function encodeFusedCursor(query: FusedQuery, cursor: FusedCursor): string {
  const { asOf, plan, shown, namedIds, namedShown } = cursor;
  const way = plan === undefined ? null : [plan.arm, plan.arm === 'walk' ? plan.rows : 0];
  const list = Buffer.from(shown.join(''), 'hex').toString('base64url');
  const parts = [MARK, print(query), asOf.toISOString(), way, list, [namedIds, namedShown, 0]];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Returns the position that a cursor names; undefined for a cursor of another kind.
 * @throws invalid_request for a cursor of another query, or a modified one
 */
export function decodeFusedCursor(query: FusedQuery, text: string): FusedCursor | undefined {
  const parts = parseCursor(text);
  if (!Array.isArray(parts) || parts[0] !== MARK) return undefined;
  const [, printed, asOfText, way, list, laneParts] = parts as unknown[];
  const asOf = readDate(asOfText);
  const plan = way === null ? null : Array.isArray(way) ? readPlan(way[0], way[1]) : undefined;
  const shown = readShown(list);
  const lane = readLane(laneParts);
  if (asOf === undefined || plan === undefined || shown === undefined || lane === undefined) {
    throw refuseCursor('is not a cursor of a search');
  }
  if (printed !== print(query)) throw refuseCursor('belongs to another query or to other filters');
  const { namedIds, namedShown } = lane;
  return { asOf, plan: plan ?? undefined, shown, namedIds, namedShown };
}

function print({ mode, ...query }: FusedQuery): string {
  return `${mode}:${fingerprintQuery(query)}`;
}

function readShown(list: unknown): string[] | undefined {
  if (typeof list !== 'string') return undefined;
  const digits = Buffer.from(list, 'base64url').toString('hex');
  return digits.length % SHORT_DIGITS === 0 ? (digits.match(/.{12}/g) ?? []) : undefined;
}
