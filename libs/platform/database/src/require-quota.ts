import { sql, type RawBuilder } from 'kysely';
import { AppError } from '@steward/contracts';
import type { AnyTransaction } from './transact.ts';

export interface Quota {
  readonly accountId: string;
  /** What is counted, in the plural: it names the lock and stands in the message. */
  readonly what: string;
  readonly limit: number;
  /** Setting an operator raises it by, where there is one. */
  readonly variable?: string;
  /** Whose they are, as a sentence begins; the account’s, unless it says so. */
  readonly holder?: string;
  /** How to make room; by default some are deleted. */
  readonly remedy?: string;
  /** A select of one row for each that counts; no more than `limit` of them are read. */
  readonly rows: RawBuilder<unknown>;
}

/**
 * Lets one more row in, or refuses. Those who add rows of one kind to one account take turns until they commit: two that
 * counted at once would both find room for one.
 *
 * @throws quota_reached
 */
export async function requireQuota(trx: AnyTransaction, quota: Quota): Promise<void> {
  const { accountId, what, limit, variable, rows, holder = 'The account', remedy = 'Delete some' } = quota;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${what} ${accountId}`}, 0))`.execute(trx);
  const counted = await sql<{ full: boolean }>`
    select count(*) >= ${limit} as full from (${rows} limit ${limit}) counted
  `.execute(trx);
  if (counted.rows[0]?.full !== true) return;
  const raise = variable === undefined ? '' : `, or have the operator raise ${variable}`;
  throw new AppError('quota_reached', {
    message: `${holder} has ${limit} ${what}, which is the quota. ${remedy}${raise}.`,
    detail: { limit },
  });
}
