import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

/** Maximum number of named secrets per account. */
export const MAX_SECRETS = 200;

/** Checks the limit on the number of flows per account. @throws quota_reached */
export function requireFlowQuota(
  trx: AnyTransaction,
  quota: { readonly accountId: string; readonly limit: number },
): Promise<void> {
  const rows = sql`select 1 from flows.flow where account_id = ${quota.accountId}`;
  return requireQuota(trx, { ...quota, what: 'flows', variable: 'ACCOUNT_MAX_FLOWS', rows });
}

/**
 * Checks the limit on the number of named secrets per account. Only the other secrets are counted, so that an account
 * at its limit can still replace each one.
 * @throws quota_reached
 */
export function requireSecretQuota(
  trx: AnyTransaction,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<void> {
  const rows = sql`select 1 from flows.secret where account_id = ${accountId} and name <> ${name}`;
  return requireQuota(trx, { accountId, what: 'named secrets', limit: MAX_SECRETS, rows });
}
