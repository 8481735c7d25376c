import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limitTime, untilAborted } from '@steward/async';
import { newId } from '@steward/crypto';
import type { DegradedReason } from '@steward/contracts';
import { boundTokens, estimateTokens } from '../../embedding/rules/estimate-tokens.ts';
import { costOf } from '../../embedding/rules/price.ts';
import { reasonOfRefusal } from '../../embedding/rules/reason-of-refusal.ts';
import { utcDay } from '../../embedding/rules/utc-day.ts';
import type { EmbeddingUsage } from '../../embedding/embedding-usage.ts';
import { holdLimited } from '../../embedding/operations/hold-limited.ts';
import { reserveSpend, settleSpend } from '../../embedding/store/embedding-spend.store.ts';
import type { EmbeddingService, ReadyTerms } from '../semantic-half.ts';
import type { SemanticPorts } from '../semantic-ports.ts';

export type QueryEmbedding =
  | { readonly kind: 'embedded'; readonly vector: Float32Array }
  | { readonly kind: 'missing'; readonly reason: DegradedReason };

export interface QueryAsk extends Pick<ReadyTerms, 'service' | 'capUsd' | 'pricePerMtok' | 'heldReason'> {
  readonly accountId: string;
  /** Dimensions of the vectors with which the query is compared. */
  readonly width: number;
  /** Text that is embedded. */
  readonly text: string;
  /** Time in milliseconds that the search has left for the embedding. */
  readonly timeoutMs: number;
  /** Signal that is aborted when the caller stops waiting; the call continues, since others may wait for it. */
  readonly signal: AbortSignal;
}

/**
 * Returns the maximum cost of a query's vector. This cost is so low that reserving it for a short time does not block
 * other calls.
 */
export function priceQuery({ text, pricePerMtok }: Pick<QueryAsk, 'text' | 'pricePerMtok'>): number {
  return costOf(boundTokens(text), pricePerMtok);
}

export type EmbedQuery = (ask: QueryAsk) => Promise<QueryEmbedding>;

type EmbedderDeps = Pick<SemanticPorts, 'db' | 'clock' | 'embeddingClient' | 'queryTimeoutMs'>;

const CACHE_TTL_MS = 300_000;
const CACHE_BYTES = 16 * 1024 * 1024;
/** Size of a cache entry without its vector. */
const ENTRY_BYTES = 200;

/**
 * Creates a function that embeds queries with the account's provider, each query only once in five minutes, so that
 * paging and repeated searches cost nothing. Concurrent calls for the same query share one request. The cache key
 * contains the space: comparing with a vector of another model would result in a random ranking. While the provider is
 * paused, only cached vectors are used.
 */
export function createQueryEmbedder(deps: EmbedderDeps): EmbedQuery {
  const known = new LRUCache<string, Float32Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (vector) => vector.byteLength + ENTRY_BYTES,
    ttl: CACHE_TTL_MS,
  });
  const underWay = new Map<string, Promise<QueryEmbedding>>();
  const call = async (key: string, ask: QueryAsk): Promise<QueryEmbedding> => {
    try {
      const embedding = await embedOnce(deps, ask);
      if (embedding.kind === 'embedded') known.set(key, embedding.vector);
      return embedding;
    } finally {
      underWay.delete(key);
    }
  };
  return async (ask) => {
    const key = nameQuery(ask);
    const vector = known.get(key);
    if (vector !== undefined) return { kind: 'embedded', vector };
    if (ask.heldReason !== undefined) return { kind: 'missing', reason: ask.heldReason };
    let running = underWay.get(key);
    if (running === undefined) {
      running = call(key, ask);
      underWay.set(key, running);
    }
    return waitFor(running, Math.min(deps.queryTimeoutMs, ask.timeoutMs), ask.signal);
  };
}

function nameQuery({ accountId, service, width, text }: QueryAsk): string {
  const { provider, baseUrl, model } = service;
  const parts = JSON.stringify([accountId, provider, baseUrl, model, width, text]);
  return createHash('sha256').update(parts).digest('base64url');
}

/**
 * Waits for an embedding, at most for this time.
 * @throws the signal's reason
 */
async function waitFor(
  running: Promise<QueryEmbedding>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<QueryEmbedding> {
  const late = new Error('out of time');
  try {
    return await limitTime(untilAborted(running, signal), milliseconds, () => late);
  } catch (error) {
    if (error === late) return { kind: 'missing', reason: 'semantic_provider_error' };
    throw error;
  } finally {
    // A caller that stopped waiting does not receive a later error of the call, so the error is ignored.
    running.catch(() => undefined);
  }
}

async function embedOnce(deps: EmbedderDeps, ask: QueryAsk): Promise<QueryEmbedding> {
  const { db, clock, embeddingClient, queryTimeoutMs: timeoutMs } = deps;
  const { accountId, service, text, capUsd, pricePerMtok } = ask;
  const now = clock.now();
  const usd = priceQuery(ask);
  if (!(await reserveSpend(db, { accountId, now, usd, capUsd })))
    return { kind: 'missing', reason: 'semantic_daily_cap_reached' };
  const { baseUrl, apiKey, model } = service satisfies EmbeddingService;
  const outcome = await embeddingClient.embed({ baseUrl, apiKey, model, inputs: [text], timeoutMs });
  const call = { callId: newId(), occurredAt: now, provider: service.provider, modelIdentifier: model };
  const settle = (spentUsd: number, counted?: Pick<EmbeddingUsage, 'source' | 'tokens'>): Promise<void> => {
    const facts = { source: 'estimated', tokens: null, ...counted } as const;
    const isNoted = spentUsd > 0 || counted !== undefined;
    const usage = isNoted ? { ...call, ...facts, isFailed: counted === undefined, spentUsd } : undefined;
    const day = utcDay(now);
    return settleSpend(db, { accountId, day, reservedUsd: usd, spentUsd, tokens: facts.tokens ?? 0, usage });
  };
  switch (outcome.kind) {
    case 'embedded': {
      const tokens = outcome.promptTokens ?? estimateTokens(text);
      const source = outcome.promptTokens === undefined ? 'estimated' : 'provider';
      await settle(costOf(tokens, pricePerMtok), { source, tokens });
      const [vector] = outcome.vectors;
      return vector === undefined
        ? { kind: 'missing', reason: 'semantic_provider_misconfigured' }
        : { kind: 'embedded', vector };
    }
    case 'unavailable':
      await settle(outcome.mayBeBilled === true ? usd : 0);
      return { kind: 'missing', reason: 'semantic_provider_error' };
    case 'misconfigured':
      // A response with the status 200 is charged by the provider, although it is not an embedding.
      await settle(outcome.status === 200 ? usd : 0);
      return { kind: 'missing', reason: reasonOfRefusal(outcome.status) };
    case 'rate_limited':
      await settle(0);
      await holdLimited(db, { accountId, service, retryAfterMs: outcome.retryAfterMs }, Math.random);
      return { kind: 'missing', reason: 'semantic_provider_error' };
    case 'refused':
      await settle(0);
      return { kind: 'missing', reason: 'semantic_provider_error' };
  }
}
