import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ToolServerKey } from '../../servers/store/tool-server.store.ts';

/** Maximum time in minutes for completing a login. */
const BEGUN_MINUTES = 15;
/** Maximum number of started logins per server; if it is exceeded, the oldest is deleted. */
const MOST_BEGUN = 20;
/** Duration in seconds of the lease for renewing a token, longer than an authorization server may take to respond. */
const RENEWING_SECONDS = 30;

export interface BegunLoginRow extends ToolServerKey {
  readonly loginId: string;
  readonly stateHash: Buffer;
  readonly userId: string;
  readonly targetVersion: number;
  readonly sealed: Buffer;
}

export async function insertBegunLogin(trx: AnyTransaction, login: BegunLoginRow, now: Date): Promise<Date> {
  const { accountId, id } = login;
  await sql`delete from tool_servers.begun_login where account_id = ${accountId} and expires_at < ${now}`.execute(trx);
  await sql`
    delete from tool_servers.begun_login where id in (
      select id from tool_servers.begun_login where account_id = ${accountId} and server_id = ${id}
      order by expires_at desc offset ${MOST_BEGUN - 1}
    )
  `.execute(trx);
  const { rows } = await sql<{ expires_at: Date }>`
    insert into tool_servers.begun_login (id, state_hash, account_id, server_id, user_id, target_version, login_sealed, expires_at)
    values (${login.loginId}, ${login.stateHash}, ${accountId}, ${id}, ${login.userId}, ${login.targetVersion}, ${login.sealed},
      ${now}::timestamptz + ${BEGUN_MINUTES} * interval '1 minute')
    returning expires_at
  `.execute(trx);
  return (rows[0] as { expires_at: Date }).expires_at;
}

/** Deletes and returns a started login, so that it can be completed only once, and only by the user who started it. */
export async function takeBegunLogin(
  db: AnyDatabase,
  { accountId, id }: ToolServerKey,
  { stateHash, userId, now }: { readonly stateHash: Buffer; readonly userId: string; readonly now: Date },
): Promise<Pick<BegunLoginRow, 'loginId' | 'sealed' | 'targetVersion'> | undefined> {
  const { rows } = await sql<Pick<BegunLoginRow, 'loginId' | 'sealed' | 'targetVersion'>>`
    delete from tool_servers.begun_login
    where state_hash = ${stateHash} and account_id = ${accountId} and server_id = ${id} and user_id = ${userId}
      and expires_at > ${now}
    returning id as "loginId", login_sealed as sealed, target_version as "targetVersion"
  `.execute(db);
  return rows[0];
}

/** Identifies a login and its current token. */
export interface GrantVersion {
  readonly version: number;
  /**
   * Time of the login; part of the identity, since the version numbers restart if a login is deleted and a user logs in
   * again.
   */
  readonly connectedAt: Date;
}

export interface GrantRow extends GrantVersion {
  readonly sealed: Buffer;
  readonly expiresAt: Date | null;
  readonly hasEnded: boolean;
}

interface SavedGrant {
  readonly sealed: Buffer;
  readonly issuer: string;
  readonly scope: string | null;
  readonly expiresAt: Date | null;
}

/**
 * Stores the tokens of a login; returns false if the server's address, headers or login have changed in the meantime,
 * or the server has been deleted.
 */
export async function saveGrant(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  grant: SavedGrant & { readonly userId: string; readonly targetVersion: number; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update tool_servers.server set target_version = target_version + 1, status = 'unknown', last_error = null, refresh_at = now()
    where account_id = ${accountId} and id = ${id} and target_version = ${grant.targetVersion} returning id
  `.execute(trx);
  if (rows.length === 0) return false;
  await sql`
    insert into tool_servers.granted_login
      (account_id, server_id, login_sealed, issuer, scope, expires_at, connected_by, connected_at)
    values (${accountId}, ${id}, ${grant.sealed}, ${grant.issuer}, ${grant.scope}, ${grant.expiresAt}, ${grant.userId}, ${grant.now})
    on conflict (account_id, server_id) do update set login_sealed = excluded.login_sealed, issuer = excluded.issuer,
      scope = excluded.scope, expires_at = excluded.expires_at, connected_by = excluded.connected_by,
      connected_at = excluded.connected_at, version = granted_login.version + 1, renewing_until = null, has_ended = false
  `.execute(trx);
  return true;
}

export async function findGrant(db: AnyDatabase, { accountId, id }: ToolServerKey): Promise<GrantRow | undefined> {
  const { rows } = await sql<GrantRow>`
    select login_sealed as sealed, version, connected_at as "connectedAt", expires_at as "expiresAt", has_ended as "hasEnded"
    from tool_servers.granted_login where account_id = ${accountId} and server_id = ${id}
  `.execute(db);
  return rows[0];
}

/**
 * Claims the renewal of a token. Returns false if another call is renewing it, or if it is no longer the current token
 * of the server.
 */
export async function claimRenewal(
  db: AnyDatabase,
  { accountId, id }: ToolServerKey,
  { version, connectedAt }: GrantVersion,
): Promise<boolean> {
  const { rows } = await sql`
    update tool_servers.granted_login set renewing_until = now() + ${RENEWING_SECONDS} * interval '1 second'
    where account_id = ${accountId} and server_id = ${id} and version = ${version} and connected_at = ${connectedAt}
      and (renewing_until is null or renewing_until < now())
    returning version
  `.execute(db);
  return rows.length > 0;
}

export async function saveRenewal(
  db: AnyDatabase,
  { accountId, id }: ToolServerKey,
  { sealed, expiresAt, version, connectedAt }: Omit<GrantRow, 'hasEnded'>,
): Promise<void> {
  await sql`
    update tool_servers.granted_login set login_sealed = ${sealed}, expires_at = ${expiresAt}, version = version + 1, renewing_until = null
    where account_id = ${accountId} and server_id = ${id} and version = ${version} and connected_at = ${connectedAt}
  `.execute(db);
}

/**
 * Stores that a renewal has failed.
 * @param hasEnded - whether the login has ended permanently, so that a user has to connect the server again
 */
export async function noteFailedRenewal(
  db: AnyDatabase,
  { accountId, id }: ToolServerKey,
  { version, connectedAt, hasEnded }: GrantVersion & Pick<GrantRow, 'hasEnded'>,
): Promise<void> {
  await sql`
    update tool_servers.granted_login set renewing_until = null, has_ended = has_ended or ${hasEnded}
    where account_id = ${accountId} and server_id = ${id} and version = ${version} and connected_at = ${connectedAt}
  `.execute(db);
}

/**
 * Deletes the login of a server and its logins in progress, and returns the encrypted grant, so that the grant can be
 * revoked at the authorization server.
 */
export async function deleteGrant(trx: AnyTransaction, { accountId, id }: ToolServerKey): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    delete from tool_servers.granted_login where account_id = ${accountId} and server_id = ${id} returning login_sealed as sealed
  `.execute(trx);
  await sql`delete from tool_servers.begun_login where account_id = ${accountId} and server_id = ${id}`.execute(trx);
  if (rows.length > 0)
    await sql`
      update tool_servers.server set target_version = target_version + 1, status = 'unknown', last_error = null, refresh_at = now()
      where account_id = ${accountId} and id = ${id}
    `.execute(trx);
  return rows[0]?.sealed;
}
