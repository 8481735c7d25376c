import { describeKept } from '../../deletion/store/deleted-session.store.ts';
import type { ChunkFilter } from '../chunk-filter.ts';
import { listOfChunk, listOfSession, listOfTool } from './related-conditions.store.ts';

export interface MatchScope {
  readonly accountId: string;
  /** Text form of a parsed query. */
  readonly tsquery: string;
  readonly filter: ChunkFilter;
  /** Leaves out what was indexed later. By the database's clock: another clock would hide fresh rows or show late ones. */
  readonly asOf: Date | undefined;
}

/** Conditions an index serves newest first: a walk goes through nothing else. */
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
  /** What the rows of a walk have in common: account, moment, time range, session, agent, flow. */
  readonly walk: string;
  /** What makes a walked row a match: the words and the filters no index serves. */
  readonly match: string;
  /** The same without the words: who may be seen. */
  readonly filtered: string;
  /** A chunk's time, as the conditions name it. */
  readonly time: string;
  /** Adds a value and names it. */
  param(value: unknown): string;
  readonly values: unknown[];
}

/**
 * True when a statement on these chunks is worth preparing: nothing narrows it but a time range, so that its texts are few
 * and the time index serves them whatever the values are.
 */
export function isPreparable({ filter, asOf }: MatchScope): boolean {
  const { startDate: _start, endDate: _end, ...others } = filter;
  return asOf === undefined && Object.values(others).every((value) => value === undefined);
}

/** True when a walk goes through a part of the account's rows. */
export function narrowsWalk(filter: ChunkFilter): boolean {
  const keys = ['startDate', 'endDate', ...Object.keys(WALKED)] as const;
  return keys.some((key) => filter[key as keyof ChunkFilter] !== undefined);
}

/**
 * $1 is the account, $2 the query, always: no statement on chunks can leave the account out. A range has both ends, the
 * missing one infinite: half as many texts.
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

/** As `buildConditions`, of the rows that are walked, whether they match or not. */
export function buildWalk(scope: MatchScope): Pick<MatchConditions, 'walk' | 'param' | 'values'> {
  const { walk, param, values } = startWalk(scope, 'occurred_at');
  // A parameter that nothing uses has no type.
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

/** All that a filter asks of a vector of the account: the row has most of its chunk's columns. */
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
