import { retry } from '@steward/async';
import { isTransientDatabaseError } from '@steward/database';
import {
  writeEmbedded,
  writeFailure,
  type EmbeddedCall,
  type EndedCall,
  type FailingCall,
  type OutcomeDeps,
} from './call-provider.ts';

export const WRITE_DELAYS_MS = [100, 500, 2000, 5000];
/**
 * Maximum number of texts per transaction, unless a single call has more; saving the embedding setting waits for the
 * transaction.
 */
const MOST_TEXTS = 512;

interface Waiting {
  readonly call: EmbeddedCall;
  readonly done: () => void;
}

/**
 * Stores the outcomes of calls. Outcomes of successful calls are written in one transaction per account at a time:
 * those that arrive in the meantime are written together in the next transaction, which halves the cost if responses
 * arrive faster than they are written.
 */
export class OutcomeWriter {
  readonly #deps: OutcomeDeps;
  /** Waiting outcomes of the accounts for which a write is in progress. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(deps: OutcomeDeps) {
    this.#deps = deps;
  }

  /** Writes an outcome. Resolves when the outcome is written, or cannot be written. Never rejects. */
  write({ batch, outcome, durationMs }: EndedCall): Promise<void> {
    const ended = { batch, durationMs: Math.round(durationMs) };
    if (outcome.kind !== 'embedded') {
      const failing: FailingCall = { ...ended, outcome };
      return this.#attempt([failing], () => writeFailure(failing, this.#deps));
    }
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const next = { call: { ...ended, outcome }, done };
    const queue = this.#waiting.get(batch.accountId);
    if (queue === undefined) void this.#writeAll(batch.accountId, next);
    else queue.push(next);
    return promise;
  }

  async #writeAll(accountId: string, first: Waiting): Promise<void> {
    const queue = [first];
    this.#waiting.set(accountId, queue);
    while (queue.length > 0) {
      const together = queue.splice(0, countTogether(queue));
      const calls = together.map(({ call }) => call);
      await this.#attempt(calls, () => writeEmbedded(calls, this.#deps));
      for (const { done } of together) done();
    }
    this.#waiting.delete(accountId);
  }

  async #attempt(calls: readonly EndedCall[], write: () => Promise<void>): Promise<void> {
    try {
      // Results that have been paid for are not discarded because of a deadlock or a restart of the database.
      await retry(write, { delaysMs: WRITE_DELAYS_MS, mayRetry: isTransientDatabaseError });
    } catch (error) {
      this.#deps.logger.warn('embedding.not_written', {
        account_id: calls[0]?.batch.accountId,
        calls: calls.length,
        error,
      });
    }
  }
}

function countTogether(queue: readonly Waiting[]): number {
  let texts = 0;
  const beyond = queue.findIndex(({ call }, index) => {
    texts += call.batch.texts.length;
    return index > 0 && texts > MOST_TEXTS;
  });
  return beyond < 0 ? queue.length : beyond;
}
