import type { AnswerBody } from '@steward/http';
import type { ChunkFilter, SavedSearch } from '@steward/search';
import type { SavedAnswer } from './saved-schemas.ts';

export function presentSavedSearch(search: SavedSearch, viewerId: string): AnswerBody<typeof SavedAnswer> {
  return {
    id: search.id,
    name: search.name,
    query: search.query,
    mode: search.mode,
    filters: presentFilters(search.filter),
    max_snippets_per_session: search.maxSnippetsPerSession,
    include_snippet_text: search.includeSnippetText,
    visibility: search.visibility,
    shared_at: search.sharedAt,
    owner_user_id: search.ownerId,
    is_own: search.ownerId === viewerId,
    ranking_identity: search.rankingIdentity,
    last_run_at: search.lastRunAt,
    run_count: search.runCount,
    created_at: search.createdAt,
    updated_at: search.updatedAt,
  };
}

/** Returns the filters in the form of a search request, without those that are not set. */
export function presentFilters(filter: ChunkFilter): Readonly<Record<string, string | Date>> {
  const filters = {
    start_date: filter.startDate,
    end_date: filter.endDate,
    source_kind: filter.sourceKind,
    model_alias: filter.modelAlias,
    provider_name: filter.providerName,
    runtime_principal_id: filter.runtimePrincipalId,
    api_key_id: filter.apiKeyId,
    flow_id: filter.flowId,
    session_id: filter.sessionId,
    role: filter.role,
    tool_name: filter.toolName,
    status: filter.status,
    session_source_type: filter.sessionSourceType,
    label: filter.label,
  };
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
