import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { ToolServerKey } from '../../servers/store/tool-server.store.ts';
import type { ServerTarget } from '../tool.ts';

export const TARGET_COLUMNS = sql`server.account_id as "accountId", server.id, server.name, server.transport, server.url,
  server.url_sealed as "urlSealed", server.origin, server.headers_sealed as "headersSealed", server.target_version as "targetVersion",
  exists (
    select from tool_servers.granted_login as login where login.account_id = server.account_id and login.server_id = server.id
  ) as "isConnected"`;

export type TargetRow = Omit<ServerTarget, 'address'> & {
  readonly url: string | null;
  readonly urlSealed: Buffer | null;
  readonly origin: string | null;
};

export function toTarget<Row extends TargetRow>({ url, urlSealed, origin, ...row }: Row) {
  return { ...row, address: { url, sealed: urlSealed, origin } };
}

export async function findTarget(db: AnyDatabase, { accountId, id }: ToolServerKey): Promise<ServerTarget | undefined> {
  const { rows } = await sql<TargetRow>`
    select ${TARGET_COLUMNS} from tool_servers.server where account_id = ${accountId} and id = ${id}
  `.execute(db);
  return rows[0] && toTarget(rows[0]);
}

const isDue = sql`is_enabled and refresh_at <= now()`;

/** Selects the servers, of all accounts, that are due for a refresh. */
export const DUE_SERVERS = sql`select from tool_servers.server where ${isDue}`;

/** Claims a server, of any account, that is due for a refresh; no other process claims it for the same refresh. */
export async function claimDueServer(db: AnyDatabase, nextSeconds: number): Promise<ServerTarget | undefined> {
  const { rows } = await sql<TargetRow>`
    update tool_servers.server set refresh_at = now() + ${nextSeconds} * interval '1 second'
    where (account_id, id) = (
      select account_id, id from tool_servers.server where ${isDue}
      order by refresh_at limit 1 for update skip locked
    )
    returning ${TARGET_COLUMNS}
  `.execute(db);
  return rows[0] && toTarget(rows[0]);
}

/**
 * Schedules a refresh of a server that reports a change: immediately, or when a minimum time has passed since its tools
 * were last listed.
 */
export async function askSoon(db: AnyDatabase, { accountId, id }: ToolServerKey, afterSeconds: number): Promise<void> {
  await sql`
    update tool_servers.server
    set refresh_at = least(refresh_at, greatest(now(), coalesce(tools_seen_at, now()) + ${afterSeconds} * interval '1 second'))
    where account_id = ${accountId} and id = ${id} and is_enabled
  `.execute(db);
}

/**
 * Stores the state of a server after a refresh of its tools. Returns false if the server's address, headers or login
 * have changed since the request, or the server has been deleted.
 */
export async function saveAnswer(
  db: AnyDatabase,
  { accountId, id, targetVersion }: ServerTarget,
  {
    status,
    lastError,
    now,
  }: { readonly status: 'ok' | 'failing'; readonly lastError: string | null; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update tool_servers.server set status = ${status}, last_error = ${lastError},
      tools_seen_at = case when ${status === 'ok'} then ${now}::timestamptz else tools_seen_at end
    where account_id = ${accountId} and id = ${id} and target_version = ${targetVersion} returning id
  `.execute(db);
  return rows.length > 0;
}
