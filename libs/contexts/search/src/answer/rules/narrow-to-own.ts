import { AppError } from '@steward/contracts';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { SearchingAgent } from '../search-request.ts';

/**
 * Returns the filter that restricts an agent to its own sessions (SRCH-63): those of the agent to which its credential
 * is bound, or else those with content stored by its key. The agent's own filters narrow the search further, but cannot
 * extend it to other sessions.
 *
 * @throws no_agent_identity for a credential that belongs to neither an agent nor a key; invalid_request for a filter
 * on another agent or key
 */
export function narrowToOwn(
  filter: ChunkFilter,
  { runtimePrincipal, apiKeyId }: Pick<SearchingAgent, 'runtimePrincipal' | 'apiKeyId'>,
): ChunkFilter {
  if (runtimePrincipal !== undefined) {
    requireOwn('runtime_principal_id', filter.runtimePrincipalId, runtimePrincipal.id);
    return { ...filter, runtimePrincipalId: runtimePrincipal.id };
  }
  if (apiKeyId === undefined) throw new AppError('no_agent_identity');
  requireOwn('api_key_id', filter.apiKeyId, apiKeyId);
  return { ...filter, apiKeyId };
}

function requireOwn(field: string, asked: string | undefined, own: string): void {
  if (asked === undefined || asked === own) return;
  throw new AppError('invalid_request', {
    message: `"${field}" does not identify the caller: a search with scope "own" covers only the caller’s sessions.`,
    detail: { field },
  });
}
