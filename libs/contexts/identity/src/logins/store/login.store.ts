import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';

export interface NewLogin {
  readonly id: string;
  readonly userId: string;
  /** Hash of the checked password: if the password was changed in the meantime, no login is started. */
  readonly passwordHash: string;
  readonly tokenHash: Buffer;
  readonly addressHash: Buffer;
  readonly isBrowser: boolean;
  /** Name that the client reported for itself when it started the login. */
  readonly client: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly endsAt: Date;
}

/**
 * Stores a login, and returns the user's token generation, which is read here, since all logins may have ended while
 * the password was checked. Returns undefined if the user was deactivated or the password was changed in the meantime.
 */
export async function insertLogin(db: AnyDatabase, login: NewLogin): Promise<number | undefined> {
  const inserted = await executePrepared(
    db,
    'identity.insert-login',
    sql<{ token_generation: number }>`
    with person as (
      select id, account_id, token_generation from gateway.user_account
      where id = ${login.userId} and is_active and password_hash = ${login.passwordHash}
      for share
    ),
    started as (
      insert into gateway.login (id, account_id, user_id, address_hash, is_browser, client, created_at, expires_at, ends_at)
      select ${login.id}::uuid, account_id, id, ${login.addressHash}::bytea, ${login.isBrowser}::boolean, ${login.client}::text,
        ${login.now}::timestamptz, ${login.expiresAt}::timestamptz, ${login.endsAt}::timestamptz
      from person
      returning id
    ),
    token as (
      insert into gateway.refresh_token (token_hash, login_id, expires_at)
      select ${login.tokenHash}::bytea, id, ${login.expiresAt}::timestamptz from started
    )
    select token_generation from person
  `,
  );
  return inserted.rows[0]?.token_generation;
}

/** Deletes all but the newest logins of a user, so that rows do not accumulate. */
export async function deleteOldestLogins(db: AnyDatabase, userId: string, kept: number): Promise<void> {
  await executePrepared(
    db,
    'identity.delete-oldest-logins',
    sql`
    delete from gateway.login where id in (
      select id from gateway.login where user_id = ${userId} order by created_at desc, id desc offset ${kept}
    )
  `,
  );
}

/** Returns whether the user has an active login that was started from this address. */
export async function isLoggedInFrom(
  db: AnyDatabase,
  userId: string,
  addressHash: Buffer,
  now: Date,
): Promise<boolean> {
  const found = await executePrepared(
    db,
    'identity.logged-in-from',
    sql`
    select from gateway.login
    where user_id = ${userId} and address_hash = ${addressHash} and expires_at > ${now} limit 1
  `,
  );
  return found.rows.length > 0;
}

export interface LoginRow {
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly ends_at: Date;
  readonly token_generation: number;
}

/** Locks and returns the login of a refresh token: concurrent transactions that end or refresh it wait. */
export async function lockLoginOfToken(trx: AnyTransaction, tokenHash: Buffer): Promise<LoginRow | undefined> {
  const found = await sql<LoginRow>`
    select login.id, login.account_id, login.user_id, login.ends_at, person.token_generation
    from gateway.login login
    join gateway.user_account person on person.id = login.user_id and person.is_active
    where login.id = (select login_id from gateway.refresh_token where token_hash = ${tokenHash})
    for update of login
  `.execute(trx);
  return found.rows[0];
}

export type TokenUse =
  | { readonly kind: 'used' | 'expired' }
  /**
   * The token was used before. `usedAt` is null if the token has been deleted in the meantime, as one of the oldest
   * used tokens.
   */
  | { readonly kind: 'used_before'; readonly usedAt: Date | null };

/** Marks a token of a locked login as used. */
export async function useRefreshToken(trx: AnyTransaction, tokenHash: Buffer, now: Date): Promise<TokenUse> {
  const found = await sql<{ used_at: Date | null; expires_at: Date }>`
    select used_at, expires_at from gateway.refresh_token where token_hash = ${tokenHash}
  `.execute(trx);
  const token = found.rows[0];
  if (token === undefined || token.used_at !== null) return { kind: 'used_before', usedAt: token?.used_at ?? null };
  if (token.expires_at <= now) return { kind: 'expired' };
  await sql`update gateway.refresh_token set used_at = ${now} where token_hash = ${tokenHash}`.execute(trx);
  return { kind: 'used' };
}

export async function insertRefreshToken(
  trx: AnyTransaction,
  token: { readonly loginId: string; readonly tokenHash: Buffer; readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await executePrepared(
    trx,
    'identity.insert-refresh-token',
    sql`
    with extended as (
      update gateway.login set expires_at = ${token.expiresAt}, refreshed_at = ${token.now} where id = ${token.loginId}
      returning id
    )
    insert into gateway.refresh_token (token_hash, login_id, expires_at)
    select ${token.tokenHash}::bytea, id, ${token.expiresAt}::timestamptz from extended
  `,
  );
}

/**
 * Deletes the used tokens of a login, except for the most recently used ones; if a deleted token is used again, it is
 * treated as unknown.
 */
export async function deleteOldestUsedTokens(trx: AnyTransaction, loginId: string, kept: number): Promise<void> {
  await executePrepared(
    trx,
    'identity.delete-oldest-tokens',
    sql`
    delete from gateway.refresh_token where token_hash in (
      select token_hash from gateway.refresh_token
      where login_id = ${loginId} and used_at is not null order by used_at desc, token_hash offset ${kept}
    )
  `,
  );
}

/** An active login, as shown to its user. */
export interface Login {
  readonly id: string;
  readonly isBrowser: boolean;
  readonly client: string | null;
  readonly createdAt: Date;
  readonly refreshedAt: Date | null;
  readonly expiresAt: Date;
}

/** Lists the active logins of a user, newest first; their number is limited per user. */
export async function listLogins(db: AnyDatabase, userId: string, now: Date): Promise<Login[]> {
  const { rows } = await sql<Login>`
    select id, is_browser as "isBrowser", client, created_at as "createdAt", refreshed_at as "refreshedAt",
      expires_at as "expiresAt"
    from gateway.login where user_id = ${userId} and expires_at > ${now} order by created_at desc, id desc
  `.execute(db);
  return rows;
}

/** Deletes a login of a user. Returns false if the user has no such login. */
export async function deleteOwnLogin(
  trx: AnyTransaction,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<boolean> {
  const result = await sql`delete from gateway.login where id = ${id} and user_id = ${userId}`.execute(trx);
  return (result.numAffectedRows ?? 0n) > 0n;
}

export async function deleteLogin(db: AnyDatabase, loginId: string): Promise<boolean> {
  const result = await sql`delete from gateway.login where id = ${loginId}`.execute(db);
  return (result.numAffectedRows ?? 0n) > 0n;
}

/** Ends all logins of a user, except for `exceptId`. Returns their number. */
export async function deleteLogins(trx: AnyTransaction, userId: string, exceptId?: string): Promise<number> {
  const result = await sql`
    delete from gateway.login where user_id = ${userId} and id is distinct from ${exceptId ?? null}::uuid
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

/**
 * Deletes logins (at most 10,000 per call) one day after they can no longer be refreshed, because an access token may
 * be valid longer than its refresh token.
 */
export async function purgeLogins(db: AnyDatabase, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 86_400_000);
  const result = await sql`
    delete from gateway.login where id in (
      select id from gateway.login where expires_at < ${before} order by expires_at limit 10000
    )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
