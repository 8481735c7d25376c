import { sql } from 'kysely';
import type { CallLimit } from '@steward/contracts';
import { executePrepared, type AnyDatabase } from '@steward/database';
import type { SpendRequest } from '../spend.ts';
import { selectAccounts } from './ledger.store.ts';

/** Outcome of a request. */
export interface Reserved {
  readonly reservedAt: Date;
  /** Id of the hard budget that refuses the call; undefined if no budget does. */
  readonly refusedBy: string | undefined;
  /** The reached limit of the call's API key or of a key that created it; undefined if no such limit is reached. */
  readonly refusedLimit: CallLimit | undefined;
  /** True if the call would fit without the amounts that processes have leased in advance. */
  readonly isLeaseBlocked: boolean;
}

interface ReservedRow {
  readonly account_id: string;
  readonly reserved_at: Date;
  readonly refused_by: string | null;
  readonly refused_limit: CallLimit | null;
  readonly is_lease_blocked: boolean;
}

/** Requests of one account. */
export interface AccountRequests {
  readonly accountId: string;
  readonly requests: readonly SpendRequest[];
}

export interface ReserveOptions {
  /** Seconds after the reservation for which the calls need no heartbeat. */
  readonly aliveSeconds: number;
  /** True if the statement waits for locked ledgers; only for a single account. */
  readonly waits: boolean;
  /** Arrival time of the calls; undefined: now, according to the clock of the database. */
  readonly at?: Date | undefined;
}

/**
 * Reserves amounts for requests in order of arrival; each call gets a reservation in all its budgets or in none. Uses
 * one statement, whose commit does not wait for the disk. Unless `waits` is set, accounts whose ledger is locked by
 * another transaction are left out.
 * @returns the outcomes by account, in the order of its requests
 */
export async function reserve(
  db: AnyDatabase,
  accounts: readonly AccountRequests[],
  { aliveSeconds, at, waits }: ReserveOptions,
): Promise<ReadonlyMap<string, readonly Reserved[]>> {
  const asked = accounts.map(({ accountId, requests }) => ({
    account_id: accountId,
    requests: requests.map(describeRequest),
  }));
  const { rows } = await executePrepared(
    db,
    waits ? 'budgets.reserve' : 'budgets.reserve-accounts',
    sql<ReservedRow>`
    with account as materialized (${selectAccounts(asked, 'requests jsonb', { waits })}
    )
    select account.account_id, r.reserved_at, r.refused_by, r.refused_limit, r.is_lease_blocked
    from account cross join lateral budgets.reserve(account.account_id, account.requests,
      coalesce(${at ?? null}, clock_timestamp()) + make_interval(secs => ${aliveSeconds}), ${at ?? null}) r
  `,
  );
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map([...byAccount].map(([accountId, own]) => [accountId, own.map(readReserved)]));
}

function readReserved(row: ReservedRow): Reserved {
  return {
    reservedAt: row.reserved_at,
    refusedBy: row.refused_by ?? undefined,
    refusedLimit: row.refused_limit ?? undefined,
    isLeaseBlocked: row.is_lease_blocked,
  };
}

function describeRequest(request: SpendRequest) {
  return {
    id: request.id,
    amount: request.amountUsd,
    is_unsized: request.isUnsized,
    api_key_id: request.apiKeyId,
    managed_agent_id: request.managedAgentId,
    flow_id: request.flowId,
    model_alias: request.modelAlias,
    call: request.call,
    replaces: request.replaces,
    ...describeLimits(request),
  };
}

/** Returns the key limits of a request. Nothing is counted for a key without limits. */
function describeLimits({ keyLimits = [], tokens = 0 }: SpendRequest) {
  return keyLimits.length === 0 ? {} : { key_limits: keyLimits, tokens };
}
