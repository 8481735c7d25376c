import { queryOptions } from '@tanstack/react-query';
import type { SearchAnswer, SearchRequest } from '../api/answers.ts';
import { request } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey, queryClient } from './query-client.ts';

/** Parameters in the address of the search screen. */
export const SEARCH_KEYS = [
  'q',
  'from',
  'to',
  'kind',
  'model',
  'agent',
  'flow',
  'role',
  'tool',
  'label',
  'session',
  'cursor',
] as const;
export type SearchParams = Texts<(typeof SEARCH_KEYS)[number]>;

/**
 * Query of one search. Each search is recorded, so the query runs only when a user searches: it is not repeated on
 * focus, on a reconnect or after a failure, and the result is cached for going back and forward.
 */
export const searchQuery = (params: SearchParams) =>
  queryOptions({
    queryKey: accountKey('search', params),
    // The request is not aborted when the user leaves the screen: when the screen is shown again, it uses this result
    // instead of sending another search, which would be recorded.
    queryFn: () => request<SearchAnswer>('POST', '/api/v1/runtime-sessions/search', { body: toSearchRequest(params) }),
    enabled: params.q !== undefined,
    staleTime: Infinity,
    gcTime: 30 * 60_000,
    retry: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
  });

/** Returns the latest cached result for this text. No request is made. */
export function readAnswer(q: string): SearchAnswer | undefined {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: accountKey('search') })
    .filter(({ queryKey, state }) => (queryKey[2] as SearchParams).q === q && state.data !== undefined)
    .sort((left, right) => right.state.dataUpdatedAt - left.state.dataUpdatedAt)
    .map(({ state }) => state.data as SearchAnswer)[0];
}

export function toSearchRequest({ q = '', cursor, from, to, kind, ...rest }: SearchParams): SearchRequest {
  const filters = {
    start_date: from,
    end_date: to,
    source_kind: kind,
    model_alias: rest.model,
    runtime_principal_id: rest.agent,
    flow_id: rest.flow,
    role: rest.role,
    tool_name: rest.tool,
    label: rest.label,
    session_id: rest.session,
  };
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return {
    query: q,
    mode: 'keyword',
    ...(Object.keys(given).length === 0 ? {} : { filters: given }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
