import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { parseExactJson } from '@steward/text';
import type { OfferedTools, ToolDefinition } from '../tool.ts';
import { TARGET_COLUMNS, toTarget, type TargetRow } from './target.store.ts';

/** Returns a string that identifies a state of the account's catalog; it contains one entry for each enabled server. */
export async function readCatalogueStamp(db: AnyDatabase, accountId: string): Promise<string> {
  const { rows } = await sql<{ stamp: string | null }>`
    select string_agg(id || ' ' || name || ' ' || target_version || ' ' || catalogue_version, ',' order by name) as stamp
    from tool_servers.server where account_id = ${accountId} and is_enabled
  `.execute(db);
  return rows[0]?.stamp ?? '';
}

/** Returns SQL for the change counter of a catalog; `accountColumn` is the name of the column with the account id. */
export function selectCatalogueRevision(accountColumn: string): RawBuilder<number> {
  return sql`coalesce((select r.revision from tool_servers.revision r where r.account_id = ${sql.ref(accountColumn)}), 0)`;
}

type OfferedRow = TargetRow & {
  readonly tools: readonly { readonly text: string; readonly hash: string; readonly isChanged: boolean }[];
};

/**
 * Returns the tools of all enabled servers, ordered by server and tool name, in the form in which their servers wrote
 * them (`parseExactJson`).
 */
export async function readCatalogue(db: AnyDatabase, accountId: string): Promise<OfferedTools[]> {
  const { rows } = await sql<OfferedRow>`
    select ${TARGET_COLUMNS}, coalesce((
      select jsonb_agg(
        jsonb_build_object(
          -- One that the release before wrote since is as it wrote it.
          'text', case when text_hash = definition_hash then definition_text else definition::text end,
          'hash', encode(definition_hash, 'hex'), 'isChanged', definition_hash <> accepted_hash
        ) order by tool.name
      )
      from tool_servers.tool where tool.account_id = server.account_id and server_id = server.id and is_offered
    ), '[]') as tools
    from tool_servers.server where account_id = ${accountId} and is_enabled order by name
  `.execute(db);
  return rows.map(({ tools, ...row }) => ({
    ...toTarget(row),
    tools: tools.map(({ text, ...tool }) => ({ ...tool, definition: parseExactJson(text) as ToolDefinition })),
  }));
}
