import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import type { ToolServer, ToolServerFields } from '../tool-server.ts';

interface ToolServerRow {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly transport: ToolServer['transport'];
  readonly url: string | null;
  readonly url_sealed: Buffer | null;
  readonly origin: string | null;
  readonly has_headers: boolean;
  readonly is_enabled: boolean;
  readonly status: ToolServer['status'];
  readonly last_error: string | null;
  readonly tools_count: number;
  readonly tools_seen_at: Date | null;
  readonly login: ToolServer['login'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ToolServerKey {
  readonly accountId: string;
  readonly id: string;
}

const COLUMNS = sql`account_id, id, name, transport, url, url_sealed, origin, headers_sealed is not null as has_headers, is_enabled, status, last_error, tools_seen_at,
  (select count(*)::int from tool_servers.tool where tool.account_id = server.account_id and server_id = server.id and is_offered)
    as tools_count,
  (select jsonb_build_object('issuer', issuer, 'scope', scope, 'expiresAt', expires_at, 'connectedBy', connected_by,
      'connectedAt', connected_at, 'hasEnded', has_ended)
    from tool_servers.granted_login as login where login.account_id = server.account_id and server_id = server.id) as login,
  created_at, updated_at`;

/** Lists tool servers, newest first; one row more than requested shows whether there is another page. */
export async function listToolServers(db: AnyDatabase, list: IdPage): Promise<ToolServer[]> {
  const { beforeId = null } = list;
  const { rows } = await sql<ToolServerRow>`
    select ${COLUMNS} from tool_servers.server
    where account_id = ${list.accountId} and (${beforeId}::uuid is null or id < ${beforeId})
    order by id desc limit ${list.limit + 1}
  `.execute(db);
  return rows.map(readRow);
}

export async function findToolServer(
  db: AnyDatabase,
  { accountId, id }: ToolServerKey,
): Promise<ToolServer | undefined> {
  const { rows } = await sql<ToolServerRow>`
    select ${COLUMNS} from tool_servers.server where account_id = ${accountId} and id = ${id}
  `.execute(db);
  return rows[0] && readRow(rows[0]);
}

/** Serializes saves of one account, so that a name cannot be taken between its check and its use. */
export async function lockToolServers(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tool servers ${accountId}`}, 0))`.execute(trx);
}

/** Returns whether another server of the account already has this name. */
export async function isNameTaken(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  name: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from tool_servers.server where account_id = ${accountId} and name = ${name} and id <> ${id}
  `.execute(trx);
  return rows.length > 0;
}

type SavedToolServer = Omit<ToolServerFields, 'url'> &
  ToolServerKey & {
    /** Encrypted headers; undefined leaves them unchanged, null deletes them. */
    readonly headersSealed: Buffer | null | undefined;
    readonly now: Date;
  };

type NewToolServer = SavedToolServer & {
  readonly address: SealedAddress;
  readonly transport: ToolServer['transport'];
};

type ChangedToolServer = SavedToolServer & {
  /** Encrypted address; undefined leaves it unchanged. */
  readonly address: SealedAddress | undefined;
  /** True if the address has changed, or headers were saved or deleted; the stored state is then no longer valid. */
  readonly isMoved: boolean;
};

export async function insertToolServer(trx: AnyTransaction, server: NewToolServer): Promise<ToolServer> {
  const { now } = server;
  const { rows } = await sql<ToolServerRow>`
    insert into tool_servers.server
      (account_id, id, name, transport, url_sealed, origin, headers_sealed, is_enabled, created_at, updated_at)
    values (${server.accountId}, ${server.id}, ${server.name}, ${server.transport}, ${server.address.sealed},
      ${server.address.origin}, ${server.headersSealed ?? null}, ${server.isEnabled}, ${now}, ${now})
    returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as ToolServerRow);
}

export async function updateToolServerRow(trx: AnyTransaction, server: ChangedToolServer): Promise<ToolServer> {
  const { address, headersSealed, isMoved } = server;
  const { rows } = await sql<ToolServerRow>`
    update tool_servers.server set name = ${server.name}, is_enabled = ${server.isEnabled},
      url = case when ${address === undefined} then url end,
      url_sealed = coalesce(${address?.sealed ?? null}::bytea, url_sealed),
      origin = coalesce(${address?.origin ?? null}::text, origin),
      headers_sealed = case when ${headersSealed === undefined} then headers_sealed else ${headersSealed ?? null}::bytea end,
      status = case when ${isMoved} then 'unknown' else status end,
      last_error = case when ${isMoved} then null else last_error end,
      target_version = target_version + ${isMoved ? 1 : 0},
      refresh_at = case when ${isMoved || server.isEnabled} then now() else refresh_at end, updated_at = ${server.now}
    where account_id = ${server.accountId} and id = ${server.id} returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as ToolServerRow);
}

/** Deletes a tool server, and returns it. */
export async function deleteToolServer(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
): Promise<ToolServer | undefined> {
  // The lock serializes the deletion with concurrent saves: a save that waits for the deletion then finds no server.
  await lockToolServers(trx, accountId);
  const { rows } = await sql<ToolServerRow>`
    delete from tool_servers.server where account_id = ${accountId} and id = ${id} returning ${COLUMNS}
  `.execute(trx);
  return rows[0] && readRow(rows[0]);
}

function readRow(row: ToolServerRow): ToolServer {
  return {
    accountId: row.account_id,
    id: row.id,
    name: row.name,
    transport: row.transport,
    address: { url: row.url, sealed: row.url_sealed, origin: row.origin },
    hasHeaders: row.has_headers,
    isEnabled: row.is_enabled,
    status: row.status,
    lastError: row.last_error,
    toolsCount: row.tools_count,
    toolsSeenAt: row.tools_seen_at,
    login: row.login,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
