import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { RequestKey } from '../../requests/approval-request.ts';
import { tables } from '../../schema.ts';

export interface RunRow {
  readonly state: 'kept' | 'running' | 'done';
  readonly callSealed: Buffer | null;
  readonly resultSealed: Buffer | null;
  /** Whether the process that makes the call has sent no heartbeat for so long that it is considered dead. */
  readonly isLost: boolean;
}

/** Time without a heartbeat after which a process is considered dead; processes send heartbeats more often. */
const LEASE_SECONDS = 30;

const lease = sql<Date>`clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'`;

const toColumns = ({ accountId, id }: RequestKey, callSealed: Buffer) => ({
  request_id: id,
  account_id: accountId,
  call_sealed: callSealed,
});

/** Stores the call of a request; if there are several identical calls, only the first is stored. */
export async function insertKeptCall(trx: AnyTransaction, key: RequestKey, callSealed: Buffer): Promise<void> {
  await tables(trx)
    .insertInto('approvals.approval_run')
    .values({ ...toColumns(key, callSealed), state: 'kept' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records that the call is being made. Called in the transaction that uses up the approval. */
export async function saveRunning(trx: AnyTransaction, key: RequestKey, callSealed: Buffer): Promise<void> {
  await tables(trx)
    .insertInto('approvals.approval_run')
    .values({ ...toColumns(key, callSealed), state: 'running', lease_until: lease })
    .onConflict((conflict) => conflict.column('request_id').doUpdateSet({ state: 'running', lease_until: lease }))
    .execute();
}

export async function findRun(db: AnyDatabase, { accountId, id }: RequestKey): Promise<RunRow | undefined> {
  const row = await tables(db)
    .selectFrom('approvals.approval_run')
    .select(['state', 'call_sealed', 'result_sealed', sql<boolean>`lease_until <= clock_timestamp()`.as('is_lost')])
    .where('account_id', '=', accountId)
    .where('request_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { state, call_sealed: callSealed, result_sealed: resultSealed, is_lost: isLost } = row;
  return { state, callSealed, resultSealed, isLost: state === 'running' && isLost };
}

/** Extends the leases of calls that this process is making, given by the ids of their requests. */
export async function extendRuns(db: AnyDatabase, requestIds: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('approvals.approval_run')
    .set({ lease_until: lease })
    .where('request_id', 'in', [...requestIds])
    .where('state', '=', 'running')
    .execute();
}

/**
 * Stores the result of a call, even if its process was considered dead.
 * @param resultSealed - null if the result is not to be stored
 */
export async function finishRun(
  db: AnyDatabase,
  { accountId, id }: RequestKey,
  resultSealed: Buffer | null,
): Promise<void> {
  await tables(db)
    .updateTable('approvals.approval_run')
    .set({ state: 'done', call_sealed: null, lease_until: null, result_sealed: resultSealed })
    .where('account_id', '=', accountId)
    .where('request_id', '=', id)
    .where('state', '=', 'running')
    .execute();
}
