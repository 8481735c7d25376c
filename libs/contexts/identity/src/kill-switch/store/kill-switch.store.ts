import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { KillSwitch } from '../kill-switch.ts';

/**
 * Returns the SQL condition that is true if the kill switch is engaged for the account whose id is in the given column;
 * the statement that authenticates the caller contains this condition.
 */
export function isHalted(accountColumn: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from gateway.kill_switch halt where halt.account_id = ${sql.ref(accountColumn)} and halt.engaged
  )`;
}

export async function findKillSwitch(db: AnyDatabase, accountId: string): Promise<KillSwitch> {
  const row = await tables(db)
    .selectFrom('gateway.kill_switch as switch')
    .leftJoin('gateway.user_account as person', 'person.id', 'switch.changed_by')
    .select(['engaged', 'reason', 'changed_at', 'changed_by', 'person.username'])
    .where('switch.account_id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return { isEngaged: false, reason: undefined, changedAt: undefined, changedBy: undefined };
  return {
    isEngaged: row.engaged,
    reason: row.reason ?? undefined,
    changedAt: row.changed_at,
    changedBy: { userId: row.changed_by, username: row.username ?? undefined },
  };
}

export interface KillSwitchChange {
  readonly accountId: string;
  readonly isEngaged: boolean;
  readonly reason: string | undefined;
  readonly by: string;
  readonly now: Date;
}

/**
 * Stores the state of the switch. Returns false, without a change, if the switch is engaged and was changed after the
 * state `seen` was read.
 */
export async function saveKillSwitch(
  trx: AnyTransaction,
  { seen, ...change }: KillSwitchChange & { readonly seen?: KillSwitch | undefined },
): Promise<boolean> {
  const row = {
    engaged: change.isEngaged,
    reason: change.reason ?? null,
    changed_at: change.now,
    changed_by: change.by,
  };
  const isSeen = sql<boolean>`${seen === undefined} or not kill_switch.engaged
    or kill_switch.changed_at is not distinct from ${seen?.changedAt ?? null}`;
  const result = await tables(trx)
    .insertInto('gateway.kill_switch')
    .values({ account_id: change.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row).where(isSeen))
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
