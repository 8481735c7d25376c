import type { AnyDatabase } from '@steward/database';
import { listAgentIds } from '@steward/agents';
import { toStorableText } from '@steward/text';

/** Returns the agent ids for a filter: for the id of any merged agent, the ids of all agents merged with it (AGT-9). */
export async function readAgentFilter(
  db: AnyDatabase,
  accountId: string,
  id: string | undefined,
): Promise<readonly string[] | undefined> {
  return id === undefined ? undefined : listAgentIds(db, { accountId, id: toStorableText(id) });
}
