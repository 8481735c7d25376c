import type { AnyDatabase } from '@steward/database';
import type { Kysely } from 'kysely';
import { applyOutcome, type Breaker, type BreakerRules } from '../rules/breaker.ts';
import type { BreakerMoveReason, CircuitState, WebhooksDatabase } from '../schema.ts';
import { insertBreakerMoves, type BreakerMove } from '../store/breaker-history.store.ts';
import { clearRefusal } from '../store/outbox.store.ts';
import {
  lockCounters,
  lockEndpoints,
  updateEndpoints,
  writeOutcomes,
  type DeliveryOutcome,
  type EndpointChange,
  type LockedEndpoint,
} from '../store/settle.store.ts';

export interface SettleResult {
  /** Deliveries whose outcome was written. */
  readonly settledIds: ReadonlySet<string>;
  /** Outcomes that came too late: another worker holds the row, or it was cancelled. They changed nothing. */
  readonly lost: readonly DeliveryOutcome[];
  readonly breakerMoves: readonly BreakerMove[];
}

/**
 * Writes a batch of outcomes in one transaction: deliveries, attempts, counters, breakers. Everything is fenced by the
 * claim token; the breaker only hears of outcomes of the endpoint's present URL version.
 */
export async function settleAttempts(
  anyDb: AnyDatabase,
  outcomes: readonly DeliveryOutcome[],
  rules: BreakerRules,
): Promise<SettleResult> {
  const db = anyDb as Kysely<WebhooksDatabase>;
  const terminal = outcomes.filter((outcome) => outcome.verdict !== 'failed');
  const { result, refused } = await db.transaction().execute(async (trx) => {
    const accountIds = [...new Set(terminal.map((outcome) => outcome.accountId))];
    const refusedAccounts = accountIds.length === 0 ? [] : await lockCounters(trx, accountIds);
    const { now, endpoints } = await lockEndpoints(trx, [...new Set(outcomes.map((outcome) => outcome.endpointId))]);
    const settled = await writeOutcomes(trx, outcomes);
    const { changes, moves } = advanceBreakers(endpoints, settled, rules, now);
    if (changes.length > 0) await updateEndpoints(trx, changes, now);
    if (moves.length > 0) await insertBreakerMoves(trx, moves, now);
    const settledIds = new Set(settled.map((outcome) => outcome.deliveryId));
    const lost = outcomes.filter((outcome) => !settled.includes(outcome));
    return { result: { settledIds, lost, breakerMoves: moves }, refused: refusedAccounts };
  });
  // A transaction of its own: it locks further endpoints, which must not happen while others are held.
  if (refused.length > 0) await clearRefusal(db, refused);
  return result;
}

/** Applies the outcomes to each endpoint's breaker in the order they finished. */
export function advanceBreakers(
  endpoints: readonly LockedEndpoint[],
  settled: readonly DeliveryOutcome[],
  rules: BreakerRules,
  now: Date,
): { changes: EndpointChange[]; moves: BreakerMove[] } {
  const changes: EndpointChange[] = [];
  const moves: BreakerMove[] = [];
  for (const endpoint of endpoints) {
    const own = settled.filter((outcome) => outcome.endpointId === endpoint.id);
    const last = own.at(-1);
    if (last === undefined) continue;
    let breaker: Breaker = endpoint.breaker;
    for (const outcome of own.filter((candidate) => candidate.urlVersion === endpoint.urlVersion)) {
      const seen = { succeeded: outcome.verdict === 'delivered', claimToken: outcome.claimToken };
      breaker = applyOutcome(breaker, seen, rules, now);
    }
    const moved = breaker !== endpoint.breaker;
    changes.push({ id: endpoint.id, breaker: moved ? breaker : undefined, last });
    if (breaker.state !== endpoint.breaker.state) {
      moves.push({
        accountId: endpoint.accountId,
        endpointId: endpoint.id,
        from: endpoint.breaker.state,
        to: breaker.state,
        reason: nameMove(endpoint.breaker.state, breaker.state),
        consecutiveFailures: breaker.consecutiveFailures,
      });
    }
  }
  return { changes, moves };
}

/** An outcome moves a closed breaker by failures; out of half open only its probe does. */
function nameMove(from: CircuitState, to: CircuitState): BreakerMoveReason {
  if (from === 'closed') return 'failures';
  return to === 'closed' ? 'probe_succeeded' : 'probe_failed';
}
