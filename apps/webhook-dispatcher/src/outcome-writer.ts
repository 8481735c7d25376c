import { setTimeout as delay } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/runtime';
import { settleAttempts, type BreakerRules, type DeliveryOutcome, type SettleResult } from '@steward/slice-webhooks';
import type { DispatcherMetrics } from './dispatcher-metrics.ts';

/** `breakerOpened`: the endpoint must not be attempted any more for now. */
export interface WrittenOutcome {
  readonly breakerOpened: boolean;
}

export interface OutcomeWriter {
  /** Resolves when the outcome was written or given up; never rejects. */
  write(outcome: DeliveryOutcome): Promise<WrittenOutcome>;
}

interface OutcomeWriterDeps {
  readonly db: AnyDatabase;
  readonly breaker: BreakerRules;
  readonly logger: Logger;
  readonly metrics: DispatcherMetrics;
}

interface Entry {
  readonly outcome: DeliveryOutcome;
  readonly done: (written: WrittenOutcome) => void;
}

const MAX_BATCH = 200;
/** Between two writes, unless this many wait already: six statements and a commit cost nearly the same for 1 and for 60. */
const WORTHWHILE_BATCH = 60;
const GATHER_MS = 8;
const TRIES = 6;
const FIRST_RETRY_MS = 50;

/**
 * Writes outcomes in batches: what finishes while one batch is being committed makes up the next. One batch at a time, in
 * the order of the attempts' ends, so that the breaker counts consecutive failures as they happened.
 */
export function createOutcomeWriter(deps: OutcomeWriterDeps): OutcomeWriter {
  const queue: Entry[] = [];
  let flushing = false;

  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH);
      const opened = await settle(batch.map((entry) => entry.outcome));
      for (const { outcome, done } of batch) done({ breakerOpened: opened.has(outcome.endpointId) });
      if (queue.length < WORTHWHILE_BATCH) await delay(GATHER_MS);
    }
    flushing = false;
  }

  /** Returns the endpoints whose breaker this batch opened. */
  async function settle(outcomes: readonly DeliveryOutcome[]): Promise<ReadonlySet<string>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await settleAttempts(deps.db, outcomes, deps.breaker);
        report(result);
        return new Set(result.breakerMoves.filter((move) => move.to === 'open').map((move) => move.endpointId));
      } catch (error) {
        if (attempt < TRIES) {
          deps.logger.warn('delivery.outcome_write_failed', { outcomes: outcomes.length, attempt, error });
          await delay(FIRST_RETRY_MS * 2 ** attempt);
          continue;
        }
        // The leases end and the deliveries are posted again: a duplicate, never a loss.
        deps.logger.error('delivery.outcomes_given_up', { outcomes: outcomes.length, error });
        return new Set();
      }
    }
  }

  function report(result: SettleResult): void {
    for (const outcome of result.lost) {
      deps.metrics.countAttempt('lost_lease', 'none');
      deps.logger.warn('delivery.outcome_discarded', {
        account_id: outcome.accountId,
        delivery_id: outcome.deliveryId,
        endpoint_id: outcome.endpointId,
        attempt: outcome.attempt.number,
        reason: 'the claim is no longer held by this worker',
      });
    }
    for (const move of result.breakerMoves) {
      deps.metrics.countBreakerMove(move.to);
      const { accountId, endpointId, from, to, reason, consecutiveFailures } = move;
      deps.logger.info('endpoint.breaker_moved', {
        account_id: accountId,
        endpoint_id: endpointId,
        from,
        to,
        reason,
        consecutive_failures: consecutiveFailures,
      });
    }
  }

  return {
    write: (outcome) =>
      new Promise((resolve) => {
        queue.push({ outcome, done: resolve });
        void flush();
      }),
  };
}
