import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ToolServerKey } from '../../servers/store/tool-server.store.ts';
import type { TakenDefinition } from '../rules/take-definitions.ts';
import type { CataloguedTool } from '../tool.ts';

/**
 * Maximum number of stored tools that a server no longer lists; without it, a server that keeps renaming its tools
 * would fill the database.
 */
const MOST_WITHDRAWN = 2000;

const COLUMNS = sql`definition, accepted_definition as accepted, encode(definition_hash, 'hex') as hash,
  definition_hash <> accepted_hash as "isChanged", first_seen_at as "firstSeenAt", changed_at as "changedAt"`;

/**
 * Stores the given tools as the current ones of the server; a new tool is accepted with its first definition.
 * @returns whether anything changed
 */
export async function replaceTools(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  { taken, now }: { readonly taken: readonly TakenDefinition[]; readonly now: Date },
): Promise<boolean> {
  const names = taken.map(({ definition }) => definition.name);
  const written = await sql`
    insert into tool_servers.tool (account_id, server_id, name, definition, definition_hash, definition_text, text_hash,
      accepted_hash, accepted_definition, first_seen_at, changed_at)
    select ${accountId}, ${id}, name, definition, hash, text, hash, hash, definition, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${names}::text[], ${taken.map(({ definition }) => JSON.stringify(definition))}::jsonb[],
      ${taken.map(({ hash }) => hash)}::bytea[], ${taken.map(({ text }) => text)}::text[]) as taken (name, definition, hash, text)
    on conflict (account_id, server_id, name) do update set definition = excluded.definition,
      definition_hash = excluded.definition_hash, definition_text = excluded.definition_text, text_hash = excluded.text_hash,
      changed_at = case when tool.is_offered and tool.definition_hash = excluded.definition_hash then tool.changed_at
        else excluded.changed_at end,
      is_offered = true
    where not tool.is_offered or tool.definition_hash <> excluded.definition_hash
      or tool.definition_text is distinct from excluded.definition_text or tool.text_hash is distinct from excluded.text_hash
    returning name
  `.execute(trx);
  const withdrawn = await sql`
    update tool_servers.tool set is_offered = false
    where account_id = ${accountId} and server_id = ${id} and is_offered and name <> all (${names}::text[]) returning name
  `.execute(trx);
  await sql`
    delete from tool_servers.tool where account_id = ${accountId} and server_id = ${id} and name in (
      select name from tool_servers.tool where account_id = ${accountId} and server_id = ${id} and not is_offered
      order by changed_at desc, name offset ${MOST_WITHDRAWN}
    )
  `.execute(trx);
  return written.rows.length + withdrawn.rows.length > 0;
}

/** Lists the tools of a server, ordered by name; one more than requested shows whether there is another page. */
export async function listOfferedTools(
  db: AnyDatabase,
  {
    accountId,
    id,
    afterName = '',
    limit,
  }: ToolServerKey & { readonly afterName?: string | undefined; readonly limit: number },
): Promise<CataloguedTool[]> {
  const { rows } = await sql<CataloguedTool>`
    select ${COLUMNS} from tool_servers.tool
    where account_id = ${accountId} and server_id = ${id} and is_offered and name > ${afterName}
    order by name limit ${limit + 1}
  `.execute(db);
  return rows;
}

export async function lockTool(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  name: string,
): Promise<CataloguedTool | undefined> {
  const { rows } = await sql<CataloguedTool>`
    select ${COLUMNS} from tool_servers.tool
    where account_id = ${accountId} and server_id = ${id} and name = ${name} and is_offered for update
  `.execute(trx);
  return rows[0];
}

/** Accepts the current definition of a tool. */
export async function saveAcceptance(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  name: string,
): Promise<void> {
  await sql`
    update tool_servers.tool set accepted_hash = definition_hash, accepted_definition = definition
    where account_id = ${accountId} and server_id = ${id} and name = ${name}
  `.execute(trx);
}

/** Increments the version of a server's catalog, which invalidates cached tools. */
export async function noteChange(trx: AnyTransaction, { accountId, id }: ToolServerKey): Promise<void> {
  await sql`
    update tool_servers.server set catalogue_version = catalogue_version + 1 where account_id = ${accountId} and id = ${id}
  `.execute(trx);
}
