import { sql } from 'kysely';
import type { CallLimit } from '@steward/contracts';
import { executePrepared, type AnyDatabase } from '@steward/database';
import type { SpendRequest } from '../spend.ts';

/** Outcome of a request. */
export interface Reserved {
  readonly reservedAt: Date;
  /** Id of the hard budget that would be exceeded; undefined if the call has its reservation. */
  readonly refusedBy: string | undefined;
  /** The limit of its API key that has been reached, if any. */
  readonly refusedLimit: CallLimit | undefined;
  /** True if the call would fit without the amounts that processes have leased in advance. */
  readonly isLeaseBlocked: boolean;
}

interface ReservedRow {
  readonly reserved_at: Date;
  readonly refused_by: string | null;
  readonly refused_limit: CallLimit | null;
  readonly is_lease_blocked: boolean;
}

/**
 * Reserves amounts for requests in order of arrival; each call gets a reservation in all its budgets or in none. Uses
 * one statement, whose commit does not wait for the disk.
 */
export async function reserve(
  db: AnyDatabase,
  {
    accountId,
    requests,
    aliveSeconds,
    at = undefined,
  }: {
    readonly accountId: string;
    readonly requests: readonly SpendRequest[];
    readonly aliveSeconds: number;
    readonly at?: Date | undefined;
  },
): Promise<Reserved[]> {
  const asked = JSON.stringify(requests.map(describeRequest));
  const { rows } = await executePrepared(
    db,
    'budgets.reserve',
    sql<ReservedRow>`
    select reserved_at, refused_by, refused_limit, is_lease_blocked from budgets.reserve(${accountId}, ${asked}::jsonb,
      coalesce(${at ?? null}, clock_timestamp()) + make_interval(secs => ${aliveSeconds}), ${at ?? null})
  `,
  );
  return rows.map((row) => ({
    reservedAt: row.reserved_at,
    refusedBy: row.refused_by ?? undefined,
    refusedLimit: row.refused_limit ?? undefined,
    isLeaseBlocked: row.is_lease_blocked,
  }));
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
