import type { AnyDatabase } from '@steward/database';
import { listAgentIds } from '@steward/agents';
import { toStorableText } from '@steward/text';

/** Agent ids for a filter: includes all merged ones, for any of their ids (AGT-9). */
export async function readAgentFilter(
  db: AnyDatabase,
  accountId: string,
  id: string | undefined,
): Promise<readonly string[] | undefined> {
  return id === undefined ? undefined : listAgentIds(db, { accountId, id: toStorableText(id) });
}
