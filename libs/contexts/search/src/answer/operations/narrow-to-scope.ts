import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { findAccountScopeGrant } from '../../grants/operations/find-account-scope-grant.ts';
import { narrowToOwn } from '../rules/narrow-to-own.ts';
import type { SearchCall, SearchRequest } from '../search-request.ts';

/**
 * Restricts the request to its caller's scope: a person searches the account; an agent searches its own sessions,
 * unless it requests the account scope and has the grant.
 * @throws account_scope_not_granted, and the errors of `narrowToOwn`
 */
export async function narrowToScope(
  { db }: { readonly db: AnyDatabase },
  request: SearchRequest,
  { accountId, agent }: Pick<SearchCall, 'accountId' | 'agent'>,
): Promise<SearchRequest> {
  if (agent === undefined) return request;
  if (agent.scope === 'own') return { ...request, filter: narrowToOwn(request.filter ?? {}, agent) };
  const { apiKeyId, runtimePrincipal } = agent;
  const managedAgentId = runtimePrincipal?.type === 'managed_agent' ? runtimePrincipal.id : undefined;
  if (await findAccountScopeGrant(db, { accountId, apiKeyId, managedAgentId })) return request;
  throw new AppError('account_scope_not_granted');
}
