import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

/** Maximum number of tool servers per account (LIM-58). */
const MAX_TOOL_SERVERS = 100;

/**
 * Checks that the account may have another tool server.
 * @throws quota_reached
 */
export async function requireServerQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from tool_servers.server where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'tool servers', limit: MAX_TOOL_SERVERS, rows });
}
