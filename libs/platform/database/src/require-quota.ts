import { sql, type RawBuilder } from 'kysely';
import { AppError } from '@steward/contracts';
import type { AnyTransaction } from './transact.ts';

export interface Quota {
  readonly accountId: string;
  /** Name of the counted rows, in the plural; used as the name of the lock and in the message. */
  readonly what: string;
  readonly limit: number;
  /** Setting with which an operator can raise the limit, if there is one. */
  readonly variable?: string;
  /** Owner of the rows, used at the beginning of a sentence; default: the account. */
  readonly holder?: string;
  /** Action that reduces the number of rows, used in the message; default: delete some. */
  readonly remedy?: string;
  /** A select with one row per counted item; at most `limit` rows are read. */
  readonly rows: RawBuilder<unknown>;
}

/**
 * Rejects another row if the limit has been reached. Transactions that add rows of one kind to one account are
 * serialized until they end: otherwise, two transactions that count at the same time could both find space for the last
 * row.
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
