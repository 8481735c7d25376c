import type { AnyDatabase } from '@steward/database';
import type { Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';
import { clearRefusal } from '../store/outbox.store.ts';
import { writeDelivered } from '../store/settle-delivered.store.ts';
import type { DeliveryOutcome } from '../store/settle.store.ts';

export interface DeliveredResult {
  /** Outcomes still to be written, by `settleAttempts`, in the order they came. */
  readonly rest: readonly DeliveryOutcome[];
  /** Outcomes that came too late, as in `SettleResult`. */
  readonly lost: readonly DeliveryOutcome[];
}

/**
 * The quick first half of settling: writes what needs no breaker, namely the outcomes of endpoints that only had successes
 * in this batch, no probe among them, and no failure counted. Hands back the rest.
 */
export async function settleDelivered(
  anyDb: AnyDatabase,
  outcomes: readonly DeliveryOutcome[],
): Promise<DeliveredResult> {
  const db = anyDb as Kysely<WebhooksDatabase>;
  const mixed = new Set(outcomes.filter((outcome) => !isPlain(outcome)).map((outcome) => outcome.endpointId));
  const plain = outcomes.filter((outcome) => !mixed.has(outcome.endpointId));
  if (plain.length === 0) return { rest: outcomes, lost: [] };
  const { left, lost, refused } = await writeDelivered(db, plain);
  if (refused.length > 0) await clearRefusal(db, refused);
  const pick = (positions: readonly number[]): Set<DeliveryOutcome> =>
    new Set(positions.flatMap((position) => plain[position] ?? []));
  const leftOver = pick(left);
  return {
    rest: outcomes.filter((outcome) => mixed.has(outcome.endpointId) || leftOver.has(outcome)),
    lost: [...pick(lost)],
  };
}

function isPlain(outcome: DeliveryOutcome): boolean {
  return outcome.verdict === 'delivered' && !outcome.isProbe;
}
