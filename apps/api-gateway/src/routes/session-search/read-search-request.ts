import type { SourceKind } from '@steward/contracts';
import { AppError, toStorableText } from '@steward/runtime';
import { normaliseQuery, type ChunkFilter, type KeywordSearchInput } from '@steward/slice-search';
import { decodeSearchCursor } from './search-cursor.ts';
import type { SearchRequest } from './search-schemas.ts';

const MAX_QUERY_LENGTH = 512;
export const DEFAULT_LIMIT = 20;
export const DEFAULT_SNIPPETS = 3;

/** The request as the search takes it. @throws invalid_request naming the field that is wrong. */
export function readSearchInput(request: SearchRequest, accountId: string): KeywordSearchInput {
  const query = readQuery(request);
  requireOnePaging(request);
  const cursor = request.cursor === undefined ? undefined : decodeSearchCursor(request.cursor);
  return {
    accountId,
    query,
    strictness: request.mode === 'hybrid' ? 'any_word' : 'strict',
    filter: readFilter(request),
    limit: request.limit ?? DEFAULT_LIMIT,
    offset: request.offset ?? 0,
    after: cursor?.after,
    asOf: cursor?.asOf,
    plan: cursor?.plan,
    maxSnippetsPerSession: request.max_snippets_per_session ?? DEFAULT_SNIPPETS,
    includeSnippetText: request.include_snippet_text ?? true,
    explain: request.explain ?? false,
  };
}

/** The query as it is searched and shown. @throws invalid_request when it is blank or too long. */
function readQuery(request: SearchRequest): string {
  const query = normaliseQuery(toStorableText(request.query).replaceAll('\uFFFD', ' '));
  if (query === '') throw refuse('query', 'must not be blank');
  if (query.length > MAX_QUERY_LENGTH) throw refuse('query', `must have at most ${MAX_QUERY_LENGTH} characters`);
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
