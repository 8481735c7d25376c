import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingClient, EmbeddingOutcome } from '@steward/embedding-client';
import type { Logger } from '@steward/process';
import { returnBatch, storeBatches, type ClaimedBatch, type FailedCall } from '@steward/search';
import { inSpan, type SpanStart } from '@steward/telemetry';
import type { CallResult, EmbeddingMetrics } from './embedding-metrics.ts';
import type { EmbeddingSummary } from './embedding-summary.ts';

export interface ProviderDeps {
  readonly client: Pick<EmbeddingClient, 'embed'>;
  readonly secretBox: Pick<SecretBox, 'open'>;
  readonly timeoutMs: number;
  /** Aborts calls in progress. */
  readonly signal: AbortSignal;
}

/** Makes the call for a batch. Never rejects. */
export function callProvider(batch: ClaimedBatch, deps: ProviderDeps): Promise<EmbeddingOutcome> {
  const { client, secretBox, timeoutMs, signal } = deps;
  const { accountId, apiKeySealed, baseUrl, modelIdentifier: model, texts } = batch;
  let apiKey: string | undefined;
  try {
    apiKey = apiKeySealed === null ? undefined : secretBox.open(apiKeySealed, accountId);
  } catch {
    // The key cannot be decrypted, so no call is made: most likely EMBEDDING_SECRET_KEY is not derived from the
    // gateway's SECRET_KEY.
    const detail = 'the key cannot be decrypted; check EMBEDDING_SECRET_KEY';
    return Promise.resolve({ kind: 'misconfigured', status: undefined, detail });
  }
  return inSpan(describeCall(batch), async (span) => {
    const outcome = await client.embed({
      baseUrl,
      apiKey,
      model,
      inputs: texts.map(({ text }) => text),
      timeoutMs,
      signal,
    });
    if (outcome.kind !== 'embedded') span?.set({ 'error.type': outcome.kind });
    return outcome;
  });
}

/** Describes the span of a call, which begins a separate trace: one call embeds chunks of many requests. */
function describeCall({ accountId, modelIdentifier: model, texts }: ClaimedBatch): SpanStart {
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    beginsTrace: true,
    attributes: {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': model,
      'steward.account.id': accountId,
      'steward.embedding.texts': texts.length,
    },
  };
}

export interface OutcomeDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: EmbeddingMetrics;
  readonly summary: EmbeddingSummary;
  readonly random: () => number;
}

export interface EndedCall {
  readonly batch: ClaimedBatch;
  readonly outcome: EmbeddingOutcome;
  readonly durationMs: number;
}

export type EmbeddedCall = EndedCall & { readonly outcome: Extract<EmbeddingOutcome, { kind: 'embedded' }> };
export type FailingCall = EndedCall & { readonly outcome: Exclude<EmbeddingOutcome, { kind: 'embedded' }> };

/**
 * Stores the embeddings of one account's calls. If the write fails, the chunks are claimed again when the lease
 * expires.
 */
export async function writeEmbedded(calls: readonly EmbeddedCall[], deps: OutcomeDeps): Promise<void> {
  const { db, metrics, summary, logger } = deps;
  const outcomes = await storeBatches(
    db,
    calls.map(({ batch, outcome }) => ({ batch, answer: outcome })),
  );
  for (const [index, { batch, durationMs }] of calls.entries()) {
    const stored = outcomes[index];
    metrics.observeCall(stored?.kind === 'stored' ? 'embedded' : 'discarded', durationMs / 1000);
    if (stored?.kind === 'stored') {
      summary.count(stored);
      metrics.countEmbedded(stored.chunks, stored.tokens, stored.spentUsd);
    } else {
      summary.countFailure();
      logger.info('embedding.discarded', {
        account_id: batch.accountId,
        reason: stored?.reason,
        duration_ms: durationMs,
      });
    }
  }
}

/** Stores that a call failed, and why. */
export async function writeFailure({ batch, outcome, durationMs }: FailingCall, deps: OutcomeDeps): Promise<void> {
  const { db, metrics, summary, logger } = deps;
  const observe = (result: CallResult): void => metrics.observeCall(result, durationMs / 1000);
  observe(outcome.kind);
  summary.countFailure();
  const returned = await returnBatch(db, batch, readFailure(outcome, batch), deps.random);
  const stopped = returned.kind === 'returned' ? returned.stopped : undefined;
  if (returned.kind === 'returned') metrics.countSetAside(returned.setAside);
  if (stopped !== undefined) metrics.countStop(stopped);
  const isForSomebody = outcome.kind === 'misconfigured' || stopped === 'semantic_provider_misconfigured';
  logger[isForSomebody ? 'warn' : 'info']('embedding.failed', {
    account_id: batch.accountId,
    model: batch.modelIdentifier,
    texts: batch.texts.length,
    outcome: outcome.kind,
    detail: outcome.kind === 'rate_limited' ? undefined : outcome.detail,
    stopped,
    set_aside: returned.kind === 'returned' ? returned.setAside : 0,
    duration_ms: durationMs,
  });
}

function readFailure(outcome: Exclude<EmbeddingOutcome, { kind: 'embedded' }>, batch: ClaimedBatch): FailedCall {
  if (outcome.kind === 'rate_limited') return { ...outcome, mayBeBilled: false };
  if (outcome.kind === 'unavailable') return { kind: 'unavailable', mayBeBilled: outcome.mayBeBilled === true };
  if (outcome.kind === 'refused') return { ...outcome, mayBeBilled: false };
  // If the endpoint has succeeded before, an invalid response is attributed to one of the texts of the batch, not to
  // the endpoint.
  const isOfTexts = outcome.status === 200 && batch.tokensPerByte !== undefined;
  return isOfTexts
    ? { kind: 'refused', detail: outcome.detail, mayBeBilled: true }
    : { kind: 'misconfigured', status: outcome.status, mayBeBilled: outcome.status === 200 };
}
