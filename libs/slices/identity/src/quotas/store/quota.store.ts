import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

export interface AccountQuota {
  readonly accountId: string;
  readonly limit: number;
}

/** Keys that work; revoked and expired ones do not count. @throws quota_reached */
export function requireApiKeyQuota(trx: AnyTransaction, { now, ...quota }: AccountQuota & { readonly now: Date }) {
  const rows = sql`
    select 1 from gateway.api_key
    where account_id = ${quota.accountId} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return requireQuota(trx, { ...quota, what: 'API keys', variable: 'ACCOUNT_MAX_API_KEYS', rows });
}

/** Custom roles. @throws quota_reached */
export function requireRoleQuota(trx: AnyTransaction, quota: AccountQuota): Promise<void> {
  const rows = sql`select 1 from gateway.role where account_id = ${quota.accountId}`;
  return requireQuota(trx, { ...quota, what: 'roles', variable: 'ACCOUNT_MAX_ROLES', rows });
}

/** Users, deactivated ones too: they are never deleted. @throws quota_reached */
export function requireUserQuota(trx: AnyTransaction, quota: AccountQuota): Promise<void> {
  const rows = sql`select 1 from gateway.user_account where account_id = ${quota.accountId}`;
  return requireQuota(trx, { ...quota, what: 'users', variable: 'ACCOUNT_MAX_USERS', rows });
}
