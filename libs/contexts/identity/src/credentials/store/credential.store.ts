import { sql, type RawBuilder } from 'kysely';
import type { KeyLimits, Revisions } from '@steward/contracts';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { isHalted } from '../../kill-switch/store/kill-switch.store.ts';
import type { TokenClaims } from '../access-token.ts';

/**
 * Returns the SQL for the revisions of the account whose id is in the given column; the statement that authenticates
 * the caller also reads these revisions.
 */
export type SelectRevisions = (accountColumn: string) => RawBuilder<Revisions>;

export interface CredentialLookup {
  readonly now: Date;
  readonly selectRevisions?: SelectRevisions | undefined;
  /** Lease of this process; the returned rows state whether it is in the database from which they were read. */
  readonly leaseId?: string | undefined;
}

export const selectNoRevisions: SelectRevisions = () => sql`null::jsonb`;

export interface LoggedIn {
  readonly account_id: string;
  readonly login_id: string;
  readonly user_id: string;
  readonly generation: number;
  readonly username: string;
  readonly role: string;
  readonly permissions: string[];
  readonly halted: boolean;
  readonly revisions: Revisions | null;
}

/**
 * Returns the users of tokens whose logins are still active. Arrays are read in a subselect, so that the planner
 * assumes the same number of rows for any length and reuses the plan.
 */
export async function findLoggedIn(
  db: AnyDatabase,
  claims: readonly TokenClaims[],
  { now, selectRevisions = selectNoRevisions }: CredentialLookup,
): Promise<LoggedIn[]> {
  const found = await executePrepared(
    db,
    'identity.logins',
    sql<LoggedIn>`
    select person.account_id, login.id as login_id, person.id as user_id, person.token_generation as generation, person.username,
      role.name as role, role.permissions, ${isHalted('person.account_id')} as halted,
      ${selectRevisions('person.account_id')} as revisions
    from gateway.login login
    join gateway.user_account person on person.id = login.user_id and person.is_active
    join gateway.role role on role.id = person.role_id
    where login.id = any((select ${claims.map(({ loginId }) => loginId)}::uuid[])::uuid[]) and login.ends_at > ${now}
  `,
  );
  return found.rows;
}

export interface KeyOwner {
  readonly id: string;
  readonly key_hash: Buffer;
  readonly name: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly username: string;
  readonly scopes: string[] | null;
  readonly role: string;
  readonly permissions: string[];
  readonly runtime_principal_type: string | null;
  readonly runtime_principal_id: string | null;
  readonly runtime_principal_name: string | null;
  readonly is_suspended: boolean;
  readonly expires_at: Date | null;
  readonly stale: boolean;
  /** Whether the key has scopes, an expiry or a parent key. */
  readonly limited: boolean;
  readonly halted: boolean;
  /** Limits of the key itself, and of the keys that created it. */
  readonly key_limits: KeyLimits[] | null;
  readonly revisions: Revisions | null;
  /** Whether the lease of this process is in the database from which this row was read. */
  readonly is_leased: boolean;
}

/**
 * Returns the valid keys of active owners: the key has not expired, and neither the key nor any of its ancestors is
 * revoked.
 */
export async function findKeyOwners(
  db: AnyDatabase,
  keyHashes: readonly Buffer[],
  { now, selectRevisions = selectNoRevisions, leaseId }: CredentialLookup,
): Promise<KeyOwner[]> {
  const found = await executePrepared(
    db,
    'identity.api-keys',
    sql<KeyOwner>`
    select key.id, key.key_hash, key.name, key.account_id, key.user_id, key.scopes, key.runtime_principal_type, key.runtime_principal_id,
      key.runtime_principal_name, key.is_suspended, key.expires_at, owner.username, role.name as role, role.permissions,
      coalesce(key.last_used_at < ${now}::timestamptz - interval '1 minute', true) as stale,
      key.scopes is not null or key.expires_at is not null or key.ancestor_ids <> '{}' as limited,
      (select jsonb_agg(l.model_limits || jsonb_build_object('api_key_id', l.id)) from gateway.api_key l
        where l.id = any(array_append(key.ancestor_ids, key.id)) and l.model_limits is not null) as key_limits,
      ${isHalted('key.account_id')} as halted, ${selectRevisions('key.account_id')} as revisions,
      exists (select from gateway.caller_lease lease where lease.id = ${leaseId ?? null}::uuid) as is_leased
    from gateway.api_key key
    join gateway.user_account owner on owner.id = key.user_id and owner.is_active
    join gateway.role role on role.id = owner.role_id
    where key.key_hash = any((select ${keyHashes}::bytea[])::bytea[]) and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > ${now})
      and not exists (select from gateway.api_key maker where maker.id = any(key.ancestor_ids) and maker.revoked_at is not null)
  `,
  );
  return found.rows;
}

export async function touchKey(db: AnyDatabase, keyId: string, now: Date): Promise<void> {
  await sql`
    update gateway.api_key set last_used_at = ${now}
    where id = ${keyId} and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
  `.execute(db);
}
