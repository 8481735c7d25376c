import { queryOptions } from '@tanstack/react-query';
import type { SearchGrants } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/session-search/grants';

export type SearchGrant = SearchGrants['grants'][number];

export const searchGrantsKey = (): readonly unknown[] => accountKey('search-grants');

export const searchGrantsQuery = () => queryOptions({ queryKey: searchGrantsKey(), queryFn: read<SearchGrants>(PATH) });

const isSame = (a: SearchGrant, b: SearchGrant): boolean =>
  a.subject_type === b.subject_type && a.subject_id === b.subject_id;

/**
 * Adds or replaces the grant of one subject, or removes it. The list is read again first, because a save replaces the
 * whole list.
 *
 * @throws ApiError, 422 for a subject that the account does not have
 */
export async function saveSearchGrant(changed: SearchGrant, change: 'set' | 'remove'): Promise<SearchGrants> {
  const { grants } = await request<SearchGrants>('GET', PATH);
  const others = grants.filter((grant) => !isSame(grant, changed));
  return request<SearchGrants>('PUT', PATH, { body: { grants: change === 'set' ? [...others, changed] : others } });
}
