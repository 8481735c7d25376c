import type { Clock } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { rememberAssumed } from '@steward/budgets';
import type { UsageRow } from '@steward/models';
import { listAccountsOfUsage, takeUsage, type NotedUsage } from '@steward/search';
import type { EmitOptions } from '@steward/webhooks';
import { bookCalls } from './book-calls.ts';
import { createLoop } from './create-loop.ts';

export interface EmbeddingBookingDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: EmitOptions;
}

/**
 * Records each embedding call of the search once, as usage of the account that counts toward the account's budgets
 * (BUD-2).
 */
export interface EmbeddingBooking {
  /** Records all waiting calls. */
  book(): Promise<void>;
  /** Component that repeats `book` in the background, at intervals. */
  readonly component: Component;
}

const EVERY_MS = 2000;
/** Maximum number of calls in a batch: a larger batch would lock the ledger of an account for too long. */
const MAX_CALLS = 200;

/**
 * Creates the booking. Any number of processes may run it at the same time, because a call is removed from the waiting
 * calls in the transaction that records it.
 */
export function createEmbeddingBooking(deps: EmbeddingBookingDeps): EmbeddingBooking {
  const { db, clock, logger, options } = deps;

  /**
   * Records a batch of calls of the account.
   * @returns true if there may be more calls
   */
  function bookSome(accountId: string): Promise<boolean> {
    return transact({ ...deps, traceparent: beginTrace() }, async (trx, hints) => {
      const taken = await takeUsage(trx, { accountId, limit: MAX_CALLS });
      if (taken.length === 0) return false;
      const rows = taken.map((usage) => buildRow(accountId, usage));
      const written = await bookCalls(trx, hints, { accountId, rows, now: clock.now() }, options);
      const assumed = rows.filter(({ id, usageSource }) => usageSource === 'assumed' && written.has(id));
      // The provider may still report the cost of these calls.
      await rememberAssumed(
        trx,
        accountId,
        assumed.map((row) => ({ ...row, aliveUntil: clock.now() })),
      );
      return taken.length === MAX_CALLS;
    });
  }

  async function bookAll(accountId: string): Promise<void> {
    while (await bookSome(accountId));
  }

  async function book(): Promise<void> {
    for (const accountId of await listAccountsOfUsage(db))
      await bookAll(accountId).catch((error: unknown) =>
        logger.error('embedding_usage.not_booked', { account_id: accountId, error }),
      );
  }

  const loop = createLoop('embedding_usage.not_booked', EVERY_MS, book, logger);
  return { book, component: { name: 'embedding usage', start: () => loop.start(), stop: () => loop.stop() } };
}

/**
 * Builds the usage row of an embedding call. Embedding models do not belong to the account: the row contains the
 * model's identifier instead of an alias, and the operator configures the price.
 */
function buildRow(accountId: string, usage: NotedUsage): UsageRow {
  return {
    ...{ id: usage.callId, accountId, occurredAt: usage.occurredAt },
    ...{ apiKeyId: null, userId: null, managedAgentId: null, executionId: null, flowId: null, runtimeSessionId: null },
    ...{ modelId: null, modelAlias: usage.modelIdentifier, provider: usage.provider, endpoint: 'embeddings' },
    status: usage.isFailed ? 'error' : 'ok',
    ...{ inputTokens: usage.tokens, cachedInputTokens: 0, outputTokens: 0 },
    ...{ costUsd: usage.costUsd, priceSource: 'custom', usageSource: usage.source },
    ...{ durationMs: usage.durationMs, firstByteMs: null, stream: false },
    errorClass: usage.isFailed ? (usage.source === 'assumed' ? 'process_died' : 'provider_error') : null,
  };
}
