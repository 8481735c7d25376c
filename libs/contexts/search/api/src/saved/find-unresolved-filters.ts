import type { AnyDatabase } from '@steward/database';
import { findFlow } from '@steward/flows';
import { findLiveKeyIds } from '@steward/identity';
import type { ChunkFilter } from '@steward/search';
import { readRuntimeSession } from '@steward/sessions';

/**
 * Returns the names of filters that refer to a deleted flow or session, or to a revoked API key. These filters are
 * still applied: old content retains the ids of flows and API keys, and a deleted session has no content.
 */
export async function findUnresolvedFilters(
  db: AnyDatabase,
  accountId: string,
  { flowId, apiKeyId, sessionId }: ChunkFilter,
): Promise<string[]> {
  const isGone = async (id: string | undefined, find: (id: string) => Promise<unknown>): Promise<boolean> =>
    id !== undefined && (await find(id)) === undefined;
  const findKey = async (id: string): Promise<string | undefined> => {
    const live = await findLiveKeyIds(db, { accountId, ids: [id] });
    return live.size === 0 ? undefined : id;
  };
  const gone = await Promise.all([
    isGone(flowId, (id) => findFlow(db, accountId, id)),
    isGone(apiKeyId, findKey),
    isGone(sessionId, (id) => readRuntimeSession(db, { accountId, sessionId: id })),
  ]);
  return ['flow_id', 'api_key_id', 'session_id'].filter((_name, index) => gone[index]);
}
