import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import type { ChangedLease, DrawnCall, LeaseChange } from '../lease.ts';

export interface LeaseChanges {
  readonly accountId: string;
  readonly leases: readonly LeaseChange[];
  readonly calls: readonly DrawnCall[];
  /** Seconds for which the leases and calls need no further heartbeat. */
  readonly aliveSeconds: number;
  /** Time of the changes; undefined: now, according to the clock of the database. */
  readonly at?: Date | undefined;
}

interface ChangedRow {
  readonly lease_id: string;
  readonly state: ChangedLease['state'];
  readonly added: string;
  readonly excess: string;
  readonly reserved_at: Date;
  readonly valid_until: Date | null;
  readonly revision: number;
}

/**
 * Changes leases. First the calls get their reservations; then leases are increased or reduced. Uses one statement,
 * whose commit does not wait for the disk.
 */
export async function changeLeases(db: AnyDatabase, changes: LeaseChanges): Promise<ChangedLease[]> {
  const { accountId, aliveSeconds, at = null } = changes;
  const [leases, calls] = [changes.leases.map(describeLease), changes.calls.map(describeCall)].map((list) =>
    JSON.stringify(list),
  );
  const { rows } = await executePrepared(
    db,
    'budgets.lease',
    sql<ChangedRow>`
    select lease_id, state, trim_scale(added)::text as added, trim_scale(excess)::text as excess, reserved_at, valid_until, revision
    from budgets.lease(${accountId}, ${leases}::jsonb, ${calls}::jsonb,
      coalesce(${at}, clock_timestamp()) + make_interval(secs => ${aliveSeconds}), ${at})
  `,
  );
  return rows.map((row) => ({
    id: row.lease_id,
    state: row.state,
    addedUsd: row.added,
    excessUsd: row.excess,
    changedAt: row.reserved_at,
    validUntil: row.valid_until ?? undefined,
    revision: Number(row.revision),
  }));
}

/** Returns whether any process leases a part of the account's budgets in advance of calls. */
export async function hasLeases(db: AnyDatabase, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from budgets.reservation where account_id = ${accountId} and is_lease and state = 'held' and amount > 0 limit 1
  `.execute(db);
  return rows.length > 0;
}

function describeLease(lease: LeaseChange) {
  return {
    id: lease.id,
    api_key_id: lease.apiKeyId,
    managed_agent_id: lease.managedAgentId,
    flow_id: lease.flowId,
    model_alias: lease.modelAlias,
    add: lease.addUsd,
    unit: lease.unitUsd,
    is_known: lease.isKnown,
    closes: lease.closes,
    call: lease.call,
  };
}

function describeCall(call: DrawnCall) {
  return {
    id: call.id,
    lease_id: call.leaseId,
    amount: call.amountUsd,
    occurred_at: call.occurredAt,
    tokens: call.tokens,
    call: call.call,
  };
}
