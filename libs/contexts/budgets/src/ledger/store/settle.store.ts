import { sql, type RawBuilder } from 'kysely';
import { executePrepared, readSqlState, type AnyTransaction } from '@steward/database';
import { toPico } from '@steward/money';
import type { Settlement } from '../spend.ts';

/** A bucket that reached a threshold for which no alert has been sent yet. */
export interface CrossedBucket {
  readonly budgetId: string;
  readonly periodStart: Date;
  readonly spent: bigint;
}

interface CrossedRow {
  readonly reached_id: string;
  readonly reached_start: Date;
  readonly reached_spent: string;
}

/** A settlement; if `isBooked` is undefined, the statement itself determines it from the usage rows. */
export type OpenSettlement = Omit<Settlement, 'isBooked'> & { readonly isBooked?: boolean | undefined };

export async function settle(
  trx: AnyTransaction,
  accountId: string,
  settlements: readonly Settlement[],
): Promise<CrossedBucket[]> {
  const asked = JSON.stringify(describeSettlements(settlements));
  const { rows } = await executePrepared(
    trx,
    'budgets.settle',
    sql<CrossedRow>`
    select reached_id, reached_start, reached_spent::text as reached_spent
    from ${callSettle({ accountId: sql`${accountId}`, settlements: sql`${asked}::jsonb`, written: sql`null::uuid[]`, mayTell: true })}
  `,
  );
  return rows.map((row) => ({
    budgetId: row.reached_id,
    periodStart: row.reached_start,
    spent: toPico(row.reached_spent),
  }));
}

export interface SettleCall {
  readonly accountId: RawBuilder<unknown>;
  /** The result of `describeSettlements` as jsonb. */
  readonly settlements: RawBuilder<unknown>;
  /** The ids of the written usage rows. */
  readonly written: RawBuilder<unknown>;
  /** If false, the statement fails if a threshold needs an alert (`isUntoldCrossing`). */
  readonly mayTell: boolean;
}

/**
 * Builds the call of the database function that settles calls of one account, for a statement that may also write the
 * usage rows.
 */
export function callSettle({ accountId, settlements, written, mayTell }: SettleCall): RawBuilder<unknown> {
  return sql`budgets.settle(${accountId}, ${settlements}, ${written}, ${mayTell})`;
}

/**
 * Builds the call of the database function that settles calls of several accounts with one query, in a transaction that
 * has locked their ledgers. The function fails if a threshold needs an alert (`isUntoldCrossing`).
 * @param accounts - JSON array of objects with `account_id` and `settlements`, the result of `describeSettlements`
 * @param written - the ids of the written usage rows
 */
export function callSettleLocked(accounts: RawBuilder<unknown>, written: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`budgets.settle_locked(${accounts}, ${written})`;
}

export function describeSettlements(settlements: readonly OpenSettlement[]): readonly object[] {
  return settlements.map(describeSettlement);
}

/**
 * Returns whether the error means that the settlement reaches a threshold: the settlement then has to be repeated in a
 * transaction that also writes the alert.
 */
export function isUntoldCrossing(error: unknown): boolean {
  return readSqlState(error) === 'BU001';
}

function describeSettlement(settlement: OpenSettlement) {
  return {
    id: settlement.id,
    occurred_at: settlement.occurredAt,
    api_key_id: settlement.apiKeyId,
    managed_agent_id: settlement.managedAgentId,
    flow_id: settlement.flowId,
    model_alias: settlement.modelAlias,
    cost: settlement.costUsd ?? '0',
    is_booked: settlement.isBooked ?? null,
    lease_id: settlement.drawn?.leaseId,
    leased: settlement.drawn?.amountUsd,
    tokens: (settlement.inputTokens ?? 0) + (settlement.outputTokens ?? 0),
  };
}
