import { SEARCH_MODES, type SearchMode, type SourceKind } from '@steward/contracts';
import type { AskedSearch, ChunkFilter, SearchRequest } from '@steward/search';
import { FILTER_NAMES, type SearchBody } from './search-schemas.ts';

/** Converts a request body to a search request. */
export function readSearchRequest(body: SearchBody): SearchRequest {
  return {
    query: body.query,
    mode: body.mode,
    filter: readFilters(body.filters),
    limit: body.limit,
    offset: body.offset,
    cursor: body.cursor,
    maxSnippetsPerSession: body.max_snippets_per_session,
    includeSnippetText: body.include_snippet_text,
    explain: body.explain,
  };
}

/** Returns the filters of a body; a missing filter does not restrict the search. */
export function readFilters(filters: SearchBody['filters'] = {}): ChunkFilter {
  const time = (value: string | undefined): Date | undefined => (value === undefined ? undefined : new Date(value));
  return {
    startDate: time(filters.start_date),
    endDate: time(filters.end_date),
    sourceKind: filters.source_kind as SourceKind | undefined,
    modelAlias: filters.model_alias,
    providerName: filters.provider_name,
    runtimePrincipalId: filters.runtime_principal_id,
    apiKeyId: filters.api_key_id,
    flowId: filters.flow_id,
    sessionId: filters.session_id,
    role: filters.role,
    toolName: filters.tool_name,
    status: filters.status,
    sessionSourceType: filters.session_source_type,
    label: filters.label,
  };
}

const FILTERS: ReadonlySet<string> = new Set(FILTER_NAMES);

/**
 * Returns the audit details of a body, valid or not: the mode, the names of the filters that are set, and the query, of
 * which only the hash is stored.
 */
export function readAskedSearch(body: unknown): AskedSearch {
  if (!isObject(body)) return { query: undefined, details: {} };
  const { query, mode = 'keyword', filters = {} } = body;
  return {
    query: typeof query === 'string' ? query : undefined,
    details: {
      ...(isMode(mode) ? { mode } : {}),
      // Names of unknown filters are omitted, because they can contain anything.
      filters: isObject(filters) ? Object.keys(filters).filter((name) => FILTERS.has(name)) : [],
    },
  };
}

function isMode(value: unknown): value is SearchMode {
  return SEARCH_MODES.some((mode) => mode === value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
