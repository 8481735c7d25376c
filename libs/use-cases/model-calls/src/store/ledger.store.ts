import { sql, type RawBuilder } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { callSettle, callSettleLocked, describeSettlements, selectAccounts, selectHeld } from '@steward/budgets';
import { buildUsageInsert } from '@steward/models';
import type { EndedRow } from '../book-calls.ts';

/**
 * Records calls in one statement: locks their reservations, writes their rows, and settles them in the ledger. The
 * commit does not wait for the disk. With `waits`, which is only for calls of a single account, the statement waits for
 * the lock of the ledger. Otherwise it leaves out accounts whose ledger another transaction has locked, so that
 * accounts do not wait for each other.
 * @returns the ids of the accounts whose calls were recorded
 * @throws an error that `isUntoldCrossing` recognizes if a threshold alert has to be sent; nothing is recorded then
 */
export async function bookAtOnce(
  db: AnyDatabase,
  rows: readonly EndedRow[],
  { waits }: { readonly waits: boolean },
): Promise<ReadonlySet<string>> {
  const accounts = Map.groupBy(rows, ({ accountId }) => accountId);
  const asked = [...accounts].map(([account_id, own]) => ({ account_id, settlements: describeSettlements(own) }));
  const isOne = accounts.size === 1;
  const written = sql`(select coalesce(array_agg(id), '{}') from written)`;
  const booked = await executePrepared(
    db,
    `model-calls.book${isOne ? '' : '-accounts'}${waits ? '' : '-free'}`,
    sql<{ account_id: string }>`
    with held as materialized (${selectHeld(rows)}), ready as materialized (
      select (select count(*) from held) >= 0 and set_config('synchronous_commit', 'off', true) = 'off' as is_ready
    ), account as materialized (
      ${selectAccounts(asked, 'settlements jsonb', { waits, condition: sql`(select is_ready from ready)` })}
    ), written as (${buildUsageInsert(rows, sql`account_id in (select account.account_id from account)`)})
    select account.account_id from account ${isOne ? settleOne(written) : settleAll(written)}
  `,
  );
  return new Set(booked.rows.map(({ account_id: id }) => id));
}

function settleOne(written: RawBuilder<unknown>): RawBuilder<unknown> {
  const settle = callSettle({
    accountId: sql`account.account_id`,
    settlements: sql`account.settlements`,
    written,
    mayTell: false,
  });
  return sql`left join lateral ${settle} on true`;
}

function settleAll(written: RawBuilder<unknown>): RawBuilder<unknown> {
  const settle = callSettleLocked(sql`(select jsonb_agg(account) from account)`, written);
  return sql`where (select count(*) from (select ${settle}) settled) = 1`;
}
