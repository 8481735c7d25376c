import type { AnyDatabase } from '@steward/database';
import { advanceBreakers, type BreakerMove } from '../../breaker/rules/advance-breakers.ts';
import type { BreakerRules } from '../../breaker/rules/breaker.ts';
import { insertBreakerMoves } from '../../breaker/store/breaker-history.store.ts';
import { lockEndpoints, updateEndpoints } from '../../breaker/store/breaker.store.ts';
import { clearRefusal } from '../../outbox/store/outbox.store.ts';
import type { DeliveryOutcome } from '../rules/outcome.ts';
import { countGivenUp } from '../store/given-up.store.ts';
import { lockCounters, openGate, writeOutcomes } from '../store/settle.store.ts';

export interface SettleResult {
  /** Ids of deliveries whose outcome was written. */
  readonly settledIds: ReadonlySet<string>;
  /**
   * Outcomes that came too late: another worker holds the row, or the delivery was cancelled. These outcomes changed
   * nothing.
   */
  readonly lost: readonly DeliveryOutcome[];
  readonly breakerMoves: readonly BreakerMove[];
}

/**
 * Writes a batch of outcomes in one transaction: deliveries, attempts, counters, breakers. Every write is conditional
 * on the claim token; the breaker only considers outcomes of the endpoint's current URL version.
 */
export async function settleAttempts(
  db: AnyDatabase,
  outcomes: readonly DeliveryOutcome[],
  rules: BreakerRules,
): Promise<SettleResult> {
  const terminal = outcomes.filter((outcome) => outcome.verdict !== 'failed');
  const { result, refused } = await db.transaction().execute(async (trx) => {
    const accountIds = [...new Set(terminal.map((outcome) => outcome.accountId))];
    const refusedAccounts = accountIds.length === 0 ? [] : await lockCounters(trx, accountIds);
    const { now, endpoints } = await lockEndpoints(trx, [...new Set(outcomes.map((outcome) => outcome.endpointId))]);
    const { written, lost } = await writeOutcomes(trx, outcomes, openGate);
    const { changes, moves } = advanceBreakers(endpoints, written, rules, now);
    if (changes.length > 0) await updateEndpoints(trx, changes, now);
    if (moves.length > 0) await insertBreakerMoves(trx, moves, now);
    // The deliveries are counted after the update of the breakers: those of an endpoint with an open breaker are not
    // counted, because a notice about the breaker reports their failure.
    await countGivenUp(
      trx,
      written.filter(({ verdict }) => verdict === 'dead'),
    );
    const settledIds = new Set(written.map((outcome) => outcome.deliveryId));
    return { result: { settledIds, lost, breakerMoves: moves }, refused: refusedAccounts };
  });
  // This is a separate transaction, because it locks further endpoints, which must not happen while other endpoints are
  // locked.
  if (refused.length > 0) await clearRefusal(db, refused);
  return result;
}
