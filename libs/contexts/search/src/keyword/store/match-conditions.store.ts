import { describeKept } from '../../deletion/store/deleted-session.store.ts';
import type { ChunkFilter } from '../chunk-filter.ts';
import { listOfChunk, listOfSession, listOfTool } from './related-conditions.store.ts';

export interface MatchScope {
  readonly accountId: string;
  /** String form of a parsed query. */
  readonly tsquery: string;
  readonly filter: ChunkFilter;
  /**
   * Chunks indexed after this time are excluded. The time must come from the database's clock: with another clock,
   * fresh rows might be hidden or late ones shown.
   */
  readonly asOf: Date | undefined;
}

/**
 * Columns with an index that returns the rows of a value newest first, so that a walk reads only rows with this value.
 */
const WALKED = {
  sessionId: 'runtime_session_id',
  runtimePrincipalId: 'runtime_principal_id',
  flowId: 'flow_id',
} as const;
const FILTERED = {
  sourceKind: 'source_kind',
  modelAlias: 'model_alias',
  providerName: 'provider_name',
  apiKeyId: 'api_key_id',
  role: 'role',
} as const;

export interface MatchConditions {
  /** Conditions that all rows of a walk meet: account, index time, time range, session, agent, flow. */
  readonly walk: string;
  /**
   * Conditions that make a row of a walk a match: the words, filters without an index, and the exclusion of sessions
   * that are being deleted.
   */
  readonly match: string;
  /** The conditions of `match` without the words. */
  readonly filtered: string;
  /** SQL expression that the conditions use for the time of a chunk. */
  readonly time: string;
  /** Adds a value and returns its placeholder. */
  param(value: unknown): string;
  readonly values: unknown[];
}

/**
 * Returns true if a statement on these chunks is worth preparing: a statement for a first page with no filter except a
 * time range has few variants, and the time index suits any values.
 */
export function isPreparable({ filter, asOf }: MatchScope): boolean {
  const { startDate: _start, endDate: _end, ...others } = filter;
  return asOf === undefined && Object.values(others).every((value) => value === undefined);
}

/** Returns true if a walk reads only a part of the account's rows. */
export function narrowsWalk(filter: ChunkFilter): boolean {
  const keys = ['startDate', 'endDate', ...Object.keys(WALKED)] as const;
  return keys.some((key) => filter[key as keyof ChunkFilter] !== undefined);
}

/**
 * Builds the conditions of a search. $1 is always the account and $2 the query, so that no statement on chunks can omit
 * the account. A time range always has two ends, and a missing end is infinite; this halves the number of variants.
 */
export function buildConditions(scope: MatchScope, time = 'occurred_at'): MatchConditions {
  const { walk, param, values } = startWalk(scope, time);
  const filtered = [
    ...listEqual({ ...FILTERED, status: 'status' }, scope.filter, param),
    ...listOfSession(scope, param),
    ...listOfTool(scope, param),
    describeKept('$1'),
  ].join(' and ');
  return { walk: walk.join(' and '), match: `tsv @@ $2::tsquery and ${filtered}`, filtered, time, param, values };
}

/** Builds the conditions for all rows of a walk, whether or not they match. */
export function buildWalk(scope: MatchScope): Pick<MatchConditions, 'walk' | 'param' | 'values'> {
  const { walk, param, values } = startWalk(scope, 'occurred_at');
  // The condition on $2 excludes nothing: it is there because an unused parameter would have no type.
  return { walk: [...walk, '$2::text is not null'].join(' and '), param, values };
}

function startWalk({ accountId, tsquery, asOf, filter }: MatchScope, time: string) {
  const values: unknown[] = [accountId, tsquery];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const walk = ['account_id = $1'];
  if (asOf !== undefined) walk.push(`indexed_at <= ${param(asOf)}`);
  walk.push(...listRange(filter, time, param), ...listWalked(filter, param));
  return { walk, param, values };
}

/**
 * Returns all filter conditions for the vectors of an account. The row of a vector has most columns of its chunk; the
 * others are read with subqueries.
 */
export function listConditions(
  scope: Pick<MatchScope, 'accountId' | 'filter'>,
  param: (value: unknown) => string,
): string[] {
  return [
    ...listRange(scope.filter, 'occurred_at', param),
    ...listWalked(scope.filter, param),
    ...listEqual(FILTERED, scope.filter, param),
    ...listOfSession(scope, param),
    ...listOfChunk(scope, param),
  ];
}

function listWalked(filter: ChunkFilter, param: (value: unknown) => string): string[] {
  const { runtimePrincipalId, mergedPrincipalIds } = filter;
  if (runtimePrincipalId === undefined || mergedPrincipalIds === undefined) return listEqual(WALKED, filter, param);
  const ids = param([runtimePrincipalId, ...mergedPrincipalIds]);
  const { runtimePrincipalId: column, ...others } = WALKED;
  return [...listEqual(others, filter, param), `${column} = any (${ids}::text[])`];
}

function listRange({ startDate, endDate }: ChunkFilter, time: string, param: (value: unknown) => string): string[] {
  if (startDate === undefined && endDate === undefined) return [];
  return [`${time} >= ${param(startDate ?? '-infinity')}`, `${time} < ${param(endDate ?? 'infinity')}`];
}

function listEqual(
  columns: Readonly<Partial<Record<keyof ChunkFilter, string>>>,
  filter: ChunkFilter,
  param: (value: unknown) => string,
): string[] {
  return Object.entries(columns).flatMap(([key, column]) => {
    const value = filter[key as keyof ChunkFilter];
    return value === undefined ? [] : [`${column} = ${param(value)}`];
  });
}
