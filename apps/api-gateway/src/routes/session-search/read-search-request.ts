import type { SourceKind } from '@steward/contracts';
import { AppError, toStorableText } from '@steward/runtime';
import {
  isPlainQuery,
  normaliseQuery,
  quoteAddresses,
  type ChunkFilter,
  type KeywordSearchInput,
} from '@steward/slice-search';
import { decodeSearchCursor, type SearchCursor } from './search-cursor.ts';
import type { SearchRequest } from './search-schemas.ts';

const MAX_QUERY_LENGTH = 512;
export const DEFAULT_LIMIT = 20;
export const DEFAULT_SNIPPETS = 3;

export interface SearchTask {
  /** Normalised, as it is shown, compared with identifiers and hashed. */
  readonly query: string;
  readonly input: KeywordSearchInput;
  /** Of the page before. */
  readonly cursor: SearchCursor | undefined;
}

/** The request as the search takes it. @throws invalid_request naming the field that is wrong. */
export function readSearchTask(request: SearchRequest, accountId: string): SearchTask {
  const query = readQuery(request);
  requireOnePaging(request);
  const strictness = request.mode === 'hybrid' ? 'any_word' : 'strict';
  const key = {
    accountId,
    // Relaxed to "any word", an address is read as one without quotes.
    query: strictness === 'any_word' && isPlainQuery(query) ? query : quoteAddresses(query),
    strictness,
    filter: readFilter(request),
  } as const;
  const cursor = request.cursor === undefined ? undefined : decodeSearchCursor(key, request.cursor);
  const input: KeywordSearchInput = {
    ...key,
    limit: request.limit ?? DEFAULT_LIMIT,
    offset: request.offset ?? 0,
    after: cursor?.after ?? undefined,
    asOf: cursor?.asOf,
    plan: cursor?.plan,
    maxSnippetsPerSession: request.max_snippets_per_session ?? DEFAULT_SNIPPETS,
    includeSnippetText: request.include_snippet_text ?? true,
    explain: request.explain ?? false,
  };
  return { query, input, cursor };
}

/** The query as it is compared and hashed: what no text can hold is a blank. */
export function cleanQuery(text: string): string {
  return normaliseQuery(toStorableText(text).replaceAll('\uFFFD', ' '));
}

/** @throws invalid_request when it is blank or too long. */
function readQuery(request: SearchRequest): string {
  const query = cleanQuery(request.query);
  if (query === '') throw refuse('query', 'must not be blank');
  // Characters, not UTF-16 units: an emoji is one.
  if ([...query].length > MAX_QUERY_LENGTH) throw refuse('query', `must have at most ${MAX_QUERY_LENGTH} characters`);
  return query;
}

/** @throws invalid_request when both ways of paging are used at once. */
function requireOnePaging(request: SearchRequest): void {
  if (request.cursor !== undefined && request.offset !== undefined) {
    throw refuse('cursor', 'and "offset" cannot be used together');
  }
}

function readFilter(request: SearchRequest): ChunkFilter {
  const { filters = {} } = request;
  const text = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : toStorableText(value);
  return {
    startDate: filters.start_date === undefined ? undefined : new Date(filters.start_date),
    endDate: filters.end_date === undefined ? undefined : new Date(filters.end_date),
    sourceKind: filters.source_kind as SourceKind | undefined,
    modelAlias: text(filters.model_alias),
    providerName: text(filters.provider_name),
    runtimePrincipalId: text(filters.runtime_principal_id),
    apiKeyId: filters.api_key_id,
    flowId: filters.flow_id,
    sessionId: filters.session_id,
    role: text(filters.role),
  };
}

function refuse(field: string, problem: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
