import type { AnyDatabase } from '@steward/database';
import { listAgentIds } from '@steward/slice-agents';
import { toStorableText } from '@steward/text';

/** What a filter by agent looks for: whatever was merged with it as well, by whichever of the ids it is asked (AGT-9). */
export async function readAgentFilter(
  db: AnyDatabase,
  accountId: string,
  id: string | undefined,
): Promise<readonly string[] | undefined> {
  return id === undefined ? undefined : listAgentIds(db, { accountId, id: toStorableText(id) });
}
