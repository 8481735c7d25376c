import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { ExecutionRow } from '../../schema.ts';

/** An execution and the lease token of its worker. */
export interface Lease {
  readonly executionId: string;
  readonly token: string;
}

export interface ClaimRequest {
  /** Token of the new lease. */
  readonly token: string;
  readonly leaseSeconds: number;
  readonly workerId: string;
  /** Maximum number of concurrent executions per account, on all workers together. */
  readonly accountLimit: number;
  /**
   * Maximum number of concurrent executions of this worker; if it is greater than 1, at most all but one of them can
   * belong to the same account.
   */
  readonly places: number;
  /** Account that this worker served last: among accounts with the same number of executions, it comes last. */
  readonly servedLast: string | undefined;
  /** Ids of executions that could not be started on this worker, and are not claimed. */
  readonly avoided: readonly string[];
}

/**
 * Sets the lease for the writes of a transaction, because a worker's role cannot see any rows without a lease (ADR
 * 0018).
 */
export async function enterLease(trx: AnyTransaction, lease: Lease): Promise<void> {
  await sql`
    select set_config('steward.execution', ${lease.executionId}, true), set_config('steward.lease', ${lease.token}, true)
  `.execute(trx);
}

/**
 * Claims the next waiting execution for a worker, and sets its lease for the transaction. Returns undefined if no
 * execution is waiting in an account that has a free slot and whose kill switch is not engaged.
 */
export async function claimExecution(trx: AnyTransaction, claim: ClaimRequest): Promise<ExecutionRow | undefined> {
  const claimed = await sql<ExecutionRow>`
    select * from flows.claim_execution(${claim.workerId}, ${claim.token}, ${claim.leaseSeconds}, ${claim.accountLimit},
      ${claim.places}, ${claim.servedLast ?? null}, ${[...claim.avoided]}::uuid[]) claimed
    where set_config('steward.execution', claimed.id::text, true) is not null
      and set_config('steward.lease', claimed.lease_token::text, true) is not null
  `.execute(trx);
  return claimed.rows[0];
}

/**
 * Stores the session that was opened for a claimed execution. Returns undefined if the token does not hold the
 * execution, or if there is no such session.
 */
export async function attachSession(trx: AnyTransaction, lease: Lease): Promise<ExecutionRow | undefined> {
  const attached = await sql<ExecutionRow>`
    select * from flows.attach_session(${lease.executionId}, ${lease.token})
  `.execute(trx);
  return attached.rows[0];
}

/**
 * Extends the lease of a run. Returns `lost` if the token no longer holds the lease: the worker must end the agent and
 * write nothing. Returns `stop` if a stop was requested.
 */
export async function extendLease(
  db: AnyDatabase,
  lease: Lease & { readonly leaseSeconds: number },
): Promise<'held' | 'stop' | 'lost'> {
  const extended = await executePrepared(
    db,
    'flows.extend-lease',
    sql<{ stops: boolean }>`
    select flows.extend_lease(${lease.executionId}, ${lease.token}, ${lease.leaseSeconds}) as stops
  `,
  );
  const row = extended.rows[0];
  if (row === undefined) return 'lost';
  return row.stops ? 'stop' : 'held';
}

/** Marks an execution as running, and stores its prompt. Returns false if the lease is lost. */
export async function markRunning(db: AnyDatabase, run: Lease & { readonly prompt: string }): Promise<boolean> {
  const marked = await sql`
    select flows.mark_running(${run.executionId}, ${run.token}, ${run.prompt})
  `.execute(db);
  return marked.rows.length > 0;
}

/**
 * Locks an execution so that it can be ended, and sets its lease for the transaction. Returns undefined if the token no
 * longer holds the execution.
 */
export async function lockLeased(trx: AnyTransaction, lease: Lease): Promise<ExecutionRow | undefined> {
  await enterLease(trx, lease);
  const locked = await sql<ExecutionRow>`
    select * from flows.lock_leased(${lease.executionId}, ${lease.token})
  `.execute(trx);
  return locked.rows[0];
}

/** Locks an execution whose worker no longer exists, and leases it under the given token so that it can be ended. */
export async function leaseLostExecution(trx: AnyTransaction, token: string): Promise<ExecutionRow | undefined> {
  const lost = await sql<ExecutionRow>`
    select * from flows.lease_lost(${token}) lost
    where set_config('steward.execution', lost.id::text, true) is not null
      and set_config('steward.lease', lost.lease_token::text, true) is not null
  `.execute(trx);
  return lost.rows[0];
}

/** Returns the ids of those given executions that have ended. */
export async function listEndedExecutions(db: AnyDatabase, ids: readonly string[]): Promise<string[]> {
  const ended = await sql<{ id: string }>`
    select id from flows.list_ended(${[...ids]}::uuid[]) as ended(id)
  `.execute(db);
  return ended.rows.map(({ id }) => id);
}
