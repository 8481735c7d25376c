import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** A tool of one of the account's servers, as shown to a user who chooses one. */
export interface ToolChoice {
  readonly server: string;
  readonly name: string;
  /** Beginning of the tool's description. */
  readonly description: string | null;
  /** True if the definition of the tool differs from the accepted one. */
  readonly isChanged: boolean;
}

const MAX_DESCRIPTION = 500;

/**
 * Returns tools of enabled servers, ordered by server and tool name; one more than requested shows whether there is
 * another page.
 */
export async function listToolChoices(
  db: AnyDatabase,
  {
    accountId,
    after,
    limit,
  }: {
    readonly accountId: string;
    readonly after: Pick<ToolChoice, 'server' | 'name'> | undefined;
    readonly limit: number;
  },
): Promise<ToolChoice[]> {
  const { rows } = await sql<ToolChoice>`
    select server.name as server, tool.name, left(definition ->> 'description', ${MAX_DESCRIPTION}) as description,
      definition_hash <> accepted_hash as "isChanged"
    from tool_servers.server join tool_servers.tool on tool.account_id = server.account_id and server_id = server.id
    where server.account_id = ${accountId} and is_enabled and is_offered
      and (server.name, tool.name) > (${after?.server ?? ''}, ${after?.name ?? ''})
    order by server.name, tool.name limit ${limit + 1}
  `.execute(db);
  return rows;
}

/** Returns the tool names of each enabled server. */
export async function listToolNames(
  db: AnyDatabase,
  accountId: string,
): Promise<{ readonly server: string; readonly names: readonly string[] }[]> {
  const { rows } = await sql<{ server: string; names: string[] }>`
    select server.name as server, array_agg(tool.name order by tool.name) as names
    from tool_servers.server join tool_servers.tool on tool.account_id = server.account_id and server_id = server.id
    where server.account_id = ${accountId} and is_enabled and is_offered
    group by server.name order by server.name
  `.execute(db);
  return rows;
}
