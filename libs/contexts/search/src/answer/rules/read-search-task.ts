import { AppError, type SearchMode } from '@steward/contracts';
import { toStorableText } from '@steward/text';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { KeywordSearchInput } from '../../keyword/keyword-search.ts';
import { cleanLabel } from '../../labels/rules/clean-labels.ts';
import { isPlainQuery, normaliseQuery, quoteAddresses } from '../../keyword/rules/keyword-query.ts';
import { readMeaning, type Meaning } from '../../semantic/rules/read-meaning.ts';
import type { SearchRequest } from '../search-request.ts';
import { refuseCursor, type CursorQuery } from './cursor-parts.ts';
import { decodeFusedCursor, type FusedCursor } from './fused-cursor.ts';
import { refuseInnerFilters } from './refuse-inner-filters.ts';
import { refuseWidePrefixes } from './refuse-wide-prefixes.ts';
import { decodeSearchCursor, type SearchCursor } from './search-cursor.ts';

const MAX_QUERY_LENGTH = 512;
const DEFAULT_LIMIT = 20;
const DEFAULT_SNIPPETS = 3;

export interface SearchTask {
  /** The query, normalized for display, comparison with identifiers and hashing. */
  readonly query: string;
  readonly mode: SearchMode;
  /** Input of the semantic half; undefined if that half is not requested, or if the query contains nothing to embed. */
  readonly meaning: Meaning | undefined;
  readonly input: KeywordSearchInput;
  /** Cursor of the previous page of a keyword search. */
  readonly cursor: SearchCursor | undefined;
  /** Cursor of the previous page of a search that uses vectors; a task has at most one of the two cursors. */
  readonly fusedCursor: FusedCursor | undefined;
}

/** Reads the request. @throws invalid_request naming the invalid field. */
export function readSearchTask(request: SearchRequest, accountId: string): SearchTask {
  const { mode = 'keyword' } = request;
  const query = readQuery(request);
  refuseInnerFilters(query);
  refuseWidePrefixes(query);
  requireOnePaging(request);
  const strictness = mode === 'hybrid' ? 'any_word' : 'strict';
  const key = {
    accountId,
    // When the query is relaxed to "any word", an address is treated as separate words.
    query: strictness === 'any_word' && isPlainQuery(query) ? query : quoteAddresses(query),
    strictness,
    filter: cleanFilter(request.filter ?? {}),
  } as const;
  const { cursor, fusedCursor } = readCursor(mode, key, request.cursor);
  const input: KeywordSearchInput = {
    ...key,
    limit: request.limit ?? DEFAULT_LIMIT,
    offset: request.offset ?? 0,
    ...readPlace(cursor),
    maxSnippetsPerSession: request.maxSnippetsPerSession ?? DEFAULT_SNIPPETS,
    includeSnippetText: request.includeSnippetText ?? true,
    explain: request.explain ?? false,
  };
  return { query, mode, meaning: mode === 'keyword' ? undefined : readMeaning(query), input, cursor, fusedCursor };
}

function readPlace(cursor: SearchCursor | undefined): Pick<KeywordSearchInput, 'after' | 'asOf' | 'plan'> {
  return { after: cursor?.after ?? undefined, asOf: cursor?.asOf, plan: cursor?.plan };
}

/**
 * Reads the cursor of a request.
 * @throws invalid_request for a string that is not a cursor of this search
 */
function readCursor(
  mode: SearchMode,
  key: CursorQuery,
  text: string | undefined,
): Pick<SearchTask, 'cursor' | 'fusedCursor'> {
  if (text === undefined) return { cursor: undefined, fusedCursor: undefined };
  const fusedCursor = mode === 'keyword' ? undefined : decodeFusedCursor({ ...key, mode }, text);
  if (fusedCursor !== undefined) return { cursor: undefined, fusedCursor };
  const cursor = decodeSearchCursor(key, text);
  if ((cursor.reasons === undefined) !== (mode === 'keyword')) throw refuseCursor('belongs to another mode');
  return { cursor, fusedCursor: undefined };
}

/** Returns the query for comparison and hashing: characters that cannot be stored become blanks. */
export function cleanQuery(text: string): string {
  return normaliseQuery(toStorableText(text).replaceAll('\uFFFD', ' '));
}

/**
 * Returns the cleaned query.
 * @throws invalid_request if it is blank or too long
 */
function readQuery(request: SearchRequest): string {
  const query = cleanQuery(request.query);
  if (query === '') throw refuse('query', 'must not be blank');
  // Counts code points, not UTF-16 code units: a simple emoji counts as one.
  if ([...query].length > MAX_QUERY_LENGTH) throw refuse('query', `must have at most ${MAX_QUERY_LENGTH} characters`);
  return query;
}

/**
 * Checks that a request does not have both an offset and a cursor.
 * @throws invalid_request
 */
function requireOnePaging(request: SearchRequest): void {
  if (request.cursor !== undefined && request.offset !== undefined) {
    throw refuse('cursor', 'and "offset" cannot be used together');
  }
}

/**
 * Returns the filter after replacing characters that cannot be stored, as is done in stored values. The keys are listed
 * explicitly, because a cursor compares filters in a fixed key order.
 */
function cleanFilter(filter: ChunkFilter): ChunkFilter {
  const clean = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : toStorableText(value);
  return {
    startDate: filter.startDate,
    endDate: filter.endDate,
    sourceKind: filter.sourceKind,
    modelAlias: clean(filter.modelAlias),
    providerName: clean(filter.providerName),
    runtimePrincipalId: clean(filter.runtimePrincipalId),
    apiKeyId: filter.apiKeyId,
    flowId: filter.flowId,
    sessionId: filter.sessionId,
    role: clean(filter.role),
    toolName: clean(filter.toolName),
    status: clean(filter.status),
    exceptSessionId: filter.exceptSessionId,
    sessionSourceType: clean(filter.sessionSourceType),
    label: filter.label === undefined ? undefined : cleanLabel(filter.label),
  };
}

function refuse(field: string, problem: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
