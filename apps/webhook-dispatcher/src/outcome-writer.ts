import { setTimeout as delay } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/runtime';
import {
  settleAttempts,
  settleDelivered,
  type BreakerRules,
  type DeliveryOutcome,
  type SettleResult,
} from '@steward/slice-webhooks';
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

const MAX_BATCH = 400;
/** Between two writes, unless this many wait already: a statement and a commit cost nearly the same for 1 and for 60. */
const WORTHWHILE_BATCH = 120;
const GATHER_MS = 15;
const TRIES = 6;
const FIRST_RETRY_MS = 50;

/**
 * Writes outcomes in batches: what finishes while one batch is being committed makes up the next. One batch at a time, in
 * the order of the attempts' ends, so that the breaker counts consecutive failures as they happened.
 */
export function createOutcomeWriter(deps: OutcomeWriterDeps): OutcomeWriter {
  const queue: Entry[] = [];
  let flushing = false;
  let endGathering: (() => void) | undefined;

  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH);
      const opened = await settle(batch.map((entry) => entry.outcome));
      for (const { outcome, done } of batch) done({ breakerOpened: opened.has(outcome.endpointId) });
      if (queue.length < WORTHWHILE_BATCH && !queue.some(isAwaited)) await gather();
    }
    flushing = false;
  }

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, GATHER_MS);
      function end(): void {
        clearTimeout(timer);
        endGathering = undefined;
        resolve();
      }
      endGathering = end;
    });
  }

  /** Returns the endpoints whose breaker this batch opened. */
  async function settle(outcomes: readonly DeliveryOutcome[]): Promise<ReadonlySet<string>> {
    // Two commits, each tried again on its own: what the first has written must not look lost to the second.
    const quick = await persist(outcomes, () => settleDelivered(deps.db, outcomes));
    if (quick === undefined) return new Set();
    reportLost(quick.lost);
    const { rest } = quick;
    if (rest.length === 0) return new Set();
    const result = await persist(rest, () => settleAttempts(deps.db, rest, deps.breaker));
    if (result === undefined) return new Set();
    reportLost(result.lost);
    reportMoves(result.breakerMoves);
    return new Set(result.breakerMoves.filter((move) => move.to === 'open').map((move) => move.endpointId));
  }

  /** Undefined when it was tried in vain: the leases end and the deliveries are posted again, a duplicate, never a loss. */
  async function persist<T>(outcomes: readonly DeliveryOutcome[], write: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (attempt >= TRIES) {
          deps.logger.error('delivery.outcomes_given_up', { outcomes: outcomes.length, error });
          return undefined;
        }
        deps.logger.warn('delivery.outcome_write_failed', { outcomes: outcomes.length, attempt, error });
        await delay(FIRST_RETRY_MS * 2 ** attempt);
      }
    }
  }

  function reportLost(outcomes: readonly DeliveryOutcome[]): void {
    for (const outcome of outcomes) {
      deps.metrics.countAttempt('lost_lease', 'none');
      deps.logger.warn('delivery.outcome_discarded', {
        account_id: outcome.accountId,
        delivery_id: outcome.deliveryId,
        endpoint_id: outcome.endpointId,
        attempt: outcome.attempt.number,
        reason: 'the claim is no longer held by this worker',
      });
    }
  }

  function reportMoves(moves: SettleResult['breakerMoves']): void {
    for (const move of moves) {
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
        const entry = { outcome, done: resolve };
        queue.push(entry);
        if (isAwaited(entry)) endGathering?.();
        void flush();
      }),
  };
}

/** The slot of a failed attempt stays taken until the breaker has had its say. */
function isAwaited({ outcome }: Entry): boolean {
  return outcome.verdict !== 'delivered';
}
