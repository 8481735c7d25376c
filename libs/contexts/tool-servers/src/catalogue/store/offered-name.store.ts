import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/**
 * Returns the tool names of the server with the given name; an empty list if the server is disabled or does not exist.
 */
export async function listOfferedNames(
  db: AnyDatabase,
  { accountId, server }: { readonly accountId: string; readonly server: string },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tool.name
    from tool_servers.server join tool_servers.tool on tool.account_id = server.account_id and server_id = server.id
    where server.account_id = ${accountId} and server.name = ${server} and is_enabled and is_offered
  `.execute(db);
  return rows.map(({ name }) => name);
}
