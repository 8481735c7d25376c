import { sql, type Kysely, type Transaction } from 'kysely';
import type { ExecutionRow, FlowsDatabase } from '../schema.ts';

type Reader = Kysely<FlowsDatabase> | Transaction<FlowsDatabase>;

export interface LeaseRequest {
  readonly executionId: string;
  readonly token: string;
  readonly workerId: string;
  readonly leaseSeconds: number;
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

/** Executions whose message was lost: older than the age, still waiting. */
export function listStalePending(
  db: Reader,
  olderThanSeconds: number,
  limit: number,
): Promise<{ id: string; account_id: string; flow_id: string }[]> {
  return db
    .selectFrom('flows.execution')
    .select(['id', 'account_id', 'flow_id'])
    .where('status', '=', 'PENDING')
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .orderBy('created_at')
    .limit(limit)
    .execute();
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
