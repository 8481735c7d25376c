import { setTimeout as delay } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import {
  settleAttempts,
  settleDelivered,
  type BreakerRules,
  type DeliveryOutcome,
  type SettleResult,
} from '@steward/webhooks';
import type { DispatcherMetrics } from '../dispatcher-metrics.ts';

/** `breakerOpened`: no delivery to the endpoint may be attempted for now. */
export interface WrittenOutcome {
  readonly breakerOpened: boolean;
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
/**
 * Number of waiting outcomes at which the next write starts at once. If fewer are waiting, and no slot waits for any of
 * them, the writer briefly waits for more, because a statement and a commit take nearly the same time for 1 outcome and
 * for 60.
 */
const WORTHWHILE_BATCH = 120;
const GATHER_MS = 15;
const TRIES = 6;
const FIRST_RETRY_MS = 50;

/**
 * Writes outcomes in batches: outcomes that arrive while one batch is being committed form the next. One batch is
 * written at a time, in the order in which the attempts ended, so that the breaker counts consecutive failures
 * correctly.
 */
export class OutcomeWriter {
  readonly #deps: OutcomeWriterDeps;
  readonly #queue: Entry[] = [];
  #flushing = false;
  #endGathering: (() => void) | undefined;

  constructor(deps: OutcomeWriterDeps) {
    this.#deps = deps;
  }

  /** Writes an outcome. Resolves when the outcome was written or abandoned; never rejects. */
  write(outcome: DeliveryOutcome): Promise<WrittenOutcome> {
    return new Promise((resolve) => {
      const entry = { outcome, done: resolve };
      this.#queue.push(entry);
      if (isAwaited(entry)) this.#endGathering?.();
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_BATCH);
      const opened = await this.#settle(batch.map((entry) => entry.outcome));
      for (const { outcome, done } of batch) done({ breakerOpened: opened.has(outcome.endpointId) });
      if (this.#queue.length < WORTHWHILE_BATCH && !this.#queue.some(isAwaited)) await this.#gather();
    }
    this.#flushing = false;
  }

  async #gather(): Promise<void> {
    const controller = new AbortController();
    this.#endGathering = () => controller.abort();
    await delay(GATHER_MS, undefined, { signal: controller.signal }).catch(() => undefined);
    this.#endGathering = undefined;
  }

  /** Writes a batch, and returns the endpoints whose breaker was opened by the batch. */
  async #settle(outcomes: readonly DeliveryOutcome[]): Promise<ReadonlySet<string>> {
    // Two commits, each retried separately: if the second fails, the outcomes of the first must not be reported as
    // lost.
    const quick = await this.#persist(outcomes, () => settleDelivered(this.#deps.db, outcomes));
    if (quick === undefined) return new Set();
    this.#reportLost(quick.lost);
    const { rest } = quick;
    if (rest.length === 0) return new Set();
    const result = await this.#persist(rest, () => settleAttempts(this.#deps.db, rest, this.#deps.breaker));
    if (result === undefined) return new Set();
    this.#reportLost(result.lost);
    this.#reportMoves(result.breakerMoves);
    return new Set(result.breakerMoves.filter((move) => move.to === 'open').map((move) => move.endpointId));
  }

  /**
   * Writes with retries. Returns undefined if all tries failed: the leases then expire and the deliveries are sent
   * again, so they are duplicated but never lost.
   */
  async #persist<T>(outcomes: readonly DeliveryOutcome[], write: () => Promise<T>): Promise<T | undefined> {
    const { logger } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (attempt >= TRIES) {
          logger.error('delivery.outcomes_given_up', { outcomes: outcomes.length, error });
          return undefined;
        }
        logger.warn('delivery.outcome_write_failed', { outcomes: outcomes.length, attempt, error });
        await delay(FIRST_RETRY_MS * 2 ** attempt);
      }
    }
  }

  #reportLost(outcomes: readonly DeliveryOutcome[]): void {
    for (const outcome of outcomes) {
      this.#deps.metrics.countAttempt('lost_lease', 'none');
      this.#deps.logger.warn('delivery.outcome_discarded', {
        account_id: outcome.accountId,
        delivery_id: outcome.deliveryId,
        endpoint_id: outcome.endpointId,
        attempt: outcome.attempt.number,
        reason: 'this worker no longer holds the claim',
      });
    }
  }

  #reportMoves(moves: SettleResult['breakerMoves']): void {
    for (const move of moves) {
      this.#deps.metrics.countBreakerMove(move.to);
      const { accountId, endpointId, from, to, reason, consecutiveFailures } = move;
      this.#deps.logger.info('endpoint.breaker_moved', {
        account_id: accountId,
        endpoint_id: endpointId,
        from,
        to,
        reason,
        consecutive_failures: consecutiveFailures,
      });
    }
  }
}

/**
 * Returns whether a slot waits for the outcome: the slot of a failed attempt stays taken until the breaker is updated.
 */
function isAwaited({ outcome }: Entry): boolean {
  return outcome.verdict !== 'delivered';
}
