import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { selectAccounts } from '../../ledger/store/ledger.store.ts';
import type { ChangedLease, DrawnCall, LeaseChange } from '../lease.ts';

/** Changes to the leases of one account, and its calls that get a separate reservation. */
export interface LeaseChanges {
  readonly accountId: string;
  readonly leases: readonly LeaseChange[];
  readonly calls: readonly DrawnCall[];
}

export interface LeaseOptions {
  /** Seconds for which the leases and calls need no further heartbeat. */
  readonly aliveSeconds: number;
  /** True if the statement waits for locked ledgers; only for a single account. */
  readonly waits: boolean;
  /** Time of the changes; undefined: now, according to the clock of the database. */
  readonly at?: Date | undefined;
}

interface ChangedRow {
  readonly account_id: string;
  readonly lease_id: string | null;
  readonly state: ChangedLease['state'];
  readonly added: string;
  readonly excess: string;
  readonly reserved_at: Date;
  readonly valid_until: Date | null;
  readonly revision: number;
}

/**
 * Changes leases. First the calls get their reservations; then leases are increased or reduced. Uses one statement,
 * whose commit does not wait for the disk. Unless `waits` is set, accounts whose ledger is locked by another
 * transaction are left out.
 * @returns the changed leases by account, in the order of its changes
 */
export async function changeLeases(
  db: AnyDatabase,
  accounts: readonly LeaseChanges[],
  { aliveSeconds, at, waits }: LeaseOptions,
): Promise<ReadonlyMap<string, readonly ChangedLease[]>> {
  const asked = accounts.map((own) => ({
    account_id: own.accountId,
    leases: own.leases.map(describeLease),
    calls: own.calls.map(describeCall),
  }));
  const { rows } = await executePrepared(
    db,
    waits ? 'budgets.lease' : 'budgets.lease-accounts',
    sql<ChangedRow>`
    with account as materialized (${selectAccounts(asked, 'leases jsonb, calls jsonb', { waits })}
    )
    select account.account_id, l.lease_id, l.state, trim_scale(l.added)::text as added, trim_scale(l.excess)::text as excess,
      l.reserved_at, l.valid_until, l.revision
    from account left join lateral budgets.lease(account.account_id, account.leases, account.calls,
      coalesce(${at ?? null}, clock_timestamp()) + make_interval(secs => ${aliveSeconds}), ${at ?? null}) l on true
  `,
  );
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map([...byAccount].map(([accountId, own]) => [accountId, own.flatMap(readChanged)]));
}

function readChanged(row: ChangedRow): ChangedLease[] {
  if (row.lease_id === null) return [];
  const { lease_id: id, state, added: addedUsd, excess: excessUsd, reserved_at: changedAt } = row;
  const validUntil = row.valid_until ?? undefined;
  return [{ id, state, addedUsd, excessUsd, changedAt, validUntil, revision: Number(row.revision) }];
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
