import type { AnyDatabase } from '@steward/database';
import { listAgentIds } from '@steward/agents';
import { toStorableText } from '@steward/text';

/**
 * Returns the agent ids that a filter by agent matches: the given id, and the ids of all agents merged with that agent
 * (AGT-9).
 */
export async function readAgentFilter(
  db: AnyDatabase,
  accountId: string,
  id: string | undefined,
): Promise<readonly string[] | undefined> {
  return id === undefined ? undefined : listAgentIds(db, { accountId, id: toStorableText(id) });
}
