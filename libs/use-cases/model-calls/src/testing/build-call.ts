import { newId } from '@steward/crypto';
import type { UsageRow } from '@steward/models';
import type { ModelCall } from '../model-call.ts';

export const START = new Date('2026-11-20T10:00:00Z');
/**
 * Maximum cost of a call in these tests, in US dollars: 1,000 tokens, 100 of which are estimated from 350 bytes, at 10
 * dollars per million.
 */
export const WORST_USD = 0.01;

const rate = { base: 10_000_000 };
const rates = { input: rate, cachedInput: rate, cacheWrite: rate, longCacheWrite: rate, output: rate };
const MODEL = {
  id: newId(),
  alias: 'fast',
  provider: 'openai' as const,
  maxOutputTokens: null,
  price: { source: 'custom' as const, rates },
};

export const buildCall = (accountId: string, fields: Partial<ModelCall> = {}): ModelCall => ({
  ...{ id: newId(), accountId, occurredAt: START, apiKeyId: null, userId: null, managedAgentId: null },
  ...{ executionId: null, flowId: null, endpoint: 'chat/completions', stream: false, model: MODEL },
  expected: { inputBytes: 350, maxOutputTokens: 900, defaultOutputTokens: 4096 },
  ...fields,
});

/** Builds the row of a successful call with this cost. */
export function buildRow({ model, expected: _expected, ...call }: ModelCall, costUsd = '0.01'): UsageRow {
  return {
    ...call,
    ...{ runtimeSessionId: null, modelId: model.id, modelAlias: model.alias, provider: model.provider, status: 'ok' },
    ...{ inputTokens: 100, cachedInputTokens: 0, outputTokens: 900, costUsd, priceSource: 'custom' },
    ...{ usageSource: 'provider', durationMs: 1, firstByteMs: 1, errorClass: null },
  };
}
