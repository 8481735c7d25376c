import type { AnyDatabase } from '@steward/database';
import { clearRefusal } from '../../outbox/store/outbox.store.ts';
import type { DeliveryOutcome } from '../rules/outcome.ts';
import { buildCalmGate } from '../store/calm-gate.store.ts';
import { writeOutcomes } from '../store/settle.store.ts';

export interface DeliveredResult {
  /** Outcomes that `settleAttempts` still has to write, in order. */
  readonly rest: readonly DeliveryOutcome[];
  /** Outcomes that came too late, as in `SettleResult`. */
  readonly lost: readonly DeliveryOutcome[];
}

/**
 * Writes, on the fast path, the outcomes that do not affect a breaker: the outcomes of an endpoint without counted
 * failures, if all of them in this batch are successes and none of them is from a probe. Returns the outcomes that were
 * not written.
 */
export async function settleDelivered(db: AnyDatabase, outcomes: readonly DeliveryOutcome[]): Promise<DeliveredResult> {
  const mixed = new Set(outcomes.filter((outcome) => !isPlain(outcome)).map((outcome) => outcome.endpointId));
  const plain = outcomes.filter((outcome) => !mixed.has(outcome.endpointId));
  if (plain.length === 0) return { rest: outcomes, lost: [] };
  const { left, lost, refusedAccountIds } = await writeOutcomes(db, plain, buildCalmGate(plain));
  if (refusedAccountIds.length > 0) await clearRefusal(db, refusedAccountIds);
  return { rest: outcomes.filter((outcome) => mixed.has(outcome.endpointId) || left.includes(outcome)), lost };
}

function isPlain(outcome: DeliveryOutcome): boolean {
  return outcome.verdict === 'delivered' && !outcome.isProbe;
}
