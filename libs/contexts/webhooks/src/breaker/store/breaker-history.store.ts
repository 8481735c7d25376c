import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables, type BreakerMoveReason, type CircuitState } from '../../schema.ts';
import type { BreakerMove } from '../rules/advance-breakers.ts';

export interface PastBreakerMove extends BreakerMove {
  readonly movedAt: Date;
}

/**
 * Maximum number of changes that are read. It is higher than the number of changes that the six attempts of a delivery
 * and one hour of probes can cause with the default cooldown.
 */
const MOST_MOVES = 100;

export async function insertBreakerMoves(
  trx: AnyTransaction,
  moves: readonly BreakerMove[],
  movedAt: Date,
): Promise<void> {
  await tables(trx)
    .insertInto('webhooks.breaker_move')
    .values(
      moves.map((move) => ({
        endpoint_id: move.endpointId,
        account_id: move.accountId,
        moved_at: movedAt,
        from_state: move.from,
        to_state: move.to,
        reason: move.reason,
        consecutive_failures: move.consecutiveFailures,
      })),
    )
    .execute();
}

/** Returns the changes within a time range, oldest first, preceded by the last change before the range. */
export async function listBreakerMoves(
  db: AnyDatabase,
  span: { readonly accountId: string; readonly endpointId: string; readonly from: Date; readonly to: Date | null },
): Promise<PastBreakerMove[]> {
  const before = sql`
    select max(moved_at) from webhooks.breaker_move where endpoint_id = ${span.endpointId} and moved_at <= ${span.from}`;
  const result = await sql<{
    moved_at: Date;
    from_state: CircuitState;
    to_state: CircuitState;
    reason: BreakerMoveReason;
    consecutive_failures: number;
  }>`
    select moved_at, from_state, to_state, reason, consecutive_failures from webhooks.breaker_move
    where endpoint_id = ${span.endpointId} and account_id = ${span.accountId}
      and moved_at >= coalesce((${before}), ${span.from}::timestamptz)
      and moved_at <= coalesce(${span.to}::timestamptz, 'infinity')
    order by moved_at limit ${MOST_MOVES}
  `.execute(db);
  return result.rows.map((row) => ({
    accountId: span.accountId,
    endpointId: span.endpointId,
    movedAt: row.moved_at,
    from: row.from_state,
    to: row.to_state,
    reason: row.reason,
    consecutiveFailures: row.consecutive_failures,
  }));
}

/** Effect of an endpoint's state on its waiting deliveries. */
export interface EndpointHold {
  readonly reason: 'endpoint_inactive' | 'breaker_open';
  /**
   * Time until which the deliveries wait; null if they wait until a user enables the endpoint, or until the current
   * probe has finished.
   */
  readonly until: Date | null;
}

/** Returns the reason why due deliveries of the endpoint are not sent; undefined if they are sent. */
export async function findEndpointHold(db: AnyDatabase, endpointId: string): Promise<EndpointHold | undefined> {
  const row = await tables(db)
    .selectFrom('webhooks.endpoint')
    .select(['active', 'circuit_state', 'circuit_open_until'])
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (!row.active) return { reason: 'endpoint_inactive', until: null };
  if (row.circuit_state === 'closed') return undefined;
  return { reason: 'breaker_open', until: row.circuit_state === 'open' ? row.circuit_open_until : null };
}

export async function deleteOldBreakerMoves(db: AnyDatabase, retentionDays: number): Promise<void> {
  await sql`
    delete from webhooks.breaker_move where moved_at < now() - make_interval(days => ${retentionDays + 1}::int)
  `.execute(db);
}
