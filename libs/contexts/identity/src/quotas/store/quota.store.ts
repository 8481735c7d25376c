import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

export interface AccountQuota {
  readonly accountId: string;
  readonly limit: number;
}

export interface ApiKeyQuota extends AccountQuota {
  /** The owner of the new key; keys created by a user's keys also belong to the user. */
  readonly userId: string;
  /** Limit per user, so that one user cannot use up the account's limit. */
  readonly userLimit: number;
  readonly now: Date;
}

/** Checks the limits of the account and of the user; revoked and expired keys do not count. @throws quota_reached */
export async function requireApiKeyQuota(
  trx: AnyTransaction,
  { now, userId, userLimit, ...quota }: ApiKeyQuota,
): Promise<void> {
  const rows = sql`
    select 1 from gateway.api_key
    where account_id = ${quota.accountId} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  await requireQuota(trx, { ...quota, what: 'API keys', variable: 'ACCOUNT_MAX_API_KEYS', rows });
  // The limit of the user is checked after the limit of the account, because the lock that the first check takes covers
  // both limits.
  await requireQuota(trx, {
    accountId: quota.accountId,
    holder: 'The user',
    what: 'API keys of one user',
    limit: userLimit,
    variable: 'USER_MAX_API_KEYS',
    rows: sql`${rows} and user_id = ${userId}`,
  });
}

/** Checks the limit on the number of custom roles per account. @throws quota_reached */
export function requireRoleQuota(trx: AnyTransaction, quota: AccountQuota): Promise<void> {
  const rows = sql`select 1 from gateway.role where account_id = ${quota.accountId}`;
  return requireQuota(trx, { ...quota, what: 'roles', variable: 'ACCOUNT_MAX_ROLES', rows });
}

/**
 * Checks the limit on the number of users per account; deactivated users also count, since users are never deleted.
 * @throws quota_reached
 */
export function requireUserQuota(trx: AnyTransaction, quota: AccountQuota): Promise<void> {
  const rows = sql`select 1 from gateway.user_account where account_id = ${quota.accountId}`;
  return requireQuota(trx, { ...quota, what: 'users', variable: 'ACCOUNT_MAX_USERS', rows });
}
