import { sql, type Kysely, type Transaction } from 'kysely';
import type { ExecutionRow, FlowsDatabase } from '../schema.ts';

type Reader = Kysely<FlowsDatabase> | Transaction<FlowsDatabase>;

export interface LeaseRequest {
  readonly executionId: string;
  readonly token: string;
  readonly workerId: string;
  readonly leaseSeconds: number;
}

/**
 * Serialises the claims of one account until the transaction ends, and counts what it runs: two workers cannot both see
 * the last free place.
 */
export async function countRunning(trx: Transaction<FlowsDatabase>, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('flows.account ' || ${accountId}, 0))`.execute(trx);
  const counted = await trx
    .selectFrom('flows.execution')
    .select((eb) => eb.fn.countAll<string>().as('running'))
    .where('account_id', '=', accountId)
    .where('status', 'in', ['INITIALIZING', 'RUNNING'])
    .executeTakeFirstOrThrow();
  return Number(counted.running);
}

/** The account of a waiting execution; undefined when it does not wait any more. */
export async function findWaitingAccount(db: Reader, executionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('flows.execution')
    .select('account_id')
    .where('id', '=', executionId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  return row?.account_id;
}

/** The account's execution that has waited longest. */
export async function findNextWaiting(db: Reader, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('flows.execution')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'PENDING')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Takes a PENDING execution for one worker. Undefined when another one has it or it ended meanwhile. */
export function claimExecution(db: Reader, lease: LeaseRequest): Promise<ExecutionRow | undefined> {
  return db
    .updateTable('flows.execution')
    .set({
      status: 'INITIALIZING',
      lease_token: lease.token,
      lease_until: sql<Date>`now() + make_interval(secs => ${lease.leaseSeconds})`,
      worker_id: lease.workerId,
      started_at: sql<Date>`now()`,
    })
    .where('id', '=', lease.executionId)
    .where('status', '=', 'PENDING')
    .where('stop_requested_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Extends the lease of a run. `lost` when the token no longer holds it: the worker must end the agent and write nothing.
 * `stop` when somebody asked for the execution to end.
 */
export async function extendLease(
  db: Reader,
  lease: Omit<LeaseRequest, 'workerId'>,
): Promise<'held' | 'stop' | 'lost'> {
  const row = await db
    .updateTable('flows.execution')
    .set({ lease_until: sql<Date>`now() + make_interval(secs => ${lease.leaseSeconds})` })
    .where('id', '=', lease.executionId)
    .where('lease_token', '=', lease.token)
    .where('status', 'in', ['INITIALIZING', 'RUNNING'])
    .returning('stop_requested_at')
    .executeTakeFirst();
  if (row === undefined) return 'lost';
  return row.stop_requested_at === null ? 'held' : 'stop';
}

/**
 * Executions whose message was lost: older than the age, still waiting, of accounts with room for them. An account at its
 * limit is left out, or its queue would hide everybody else's.
 */
export async function listStalePending(
  db: Reader,
  look: { readonly olderThanSeconds: number; readonly accountLimit: number; readonly limit: number },
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select waiting.id
    from (
      select id, account_id, created_at, row_number() over (partition by account_id order by created_at) as place
      from flows.execution
      where status = 'PENDING' and created_at < now() - make_interval(secs => ${look.olderThanSeconds})
    ) waiting
    where waiting.place <= ${look.accountLimit} - (
      select count(*) from flows.execution running
      where running.account_id = waiting.account_id and running.status in ('INITIALIZING', 'RUNNING')
    )
    order by waiting.created_at
    limit ${look.limit}
  `.execute(db);
  return found.rows.map((row) => row.id);
}

/** One execution whose worker is gone, locked for the caller alone. */
export function lockLostExecution(trx: Transaction<FlowsDatabase>): Promise<ExecutionRow | undefined> {
  return trx
    .selectFrom('flows.execution')
    .selectAll()
    .where('status', 'in', ['INITIALIZING', 'RUNNING'])
    .where('lease_until', '<', sql<Date>`now()`)
    .orderBy('lease_until')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}
