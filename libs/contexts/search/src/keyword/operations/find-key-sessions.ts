import { runCancellable, type CancellablePools } from '@steward/database';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import type { SearchOptions } from '../keyword-search.ts';
import { listKeySessions } from '../store/key-sessions.store.ts';

/**
 * Returns the ids of the sessions in which an API key stored content, including sessions of other clients, newest first.
 * @throws AppError `search_timeout` if the time budget is exceeded
 */
export function findKeySessions(
  pools: CancellablePools,
  key: { readonly accountId: string; readonly apiKeyId: string; readonly limit: number },
  options: SearchOptions,
): Promise<string[]> {
  return runCancellable(pools, options, (client) => listKeySessions(client, key)).catch(rethrowTimeout);
}
