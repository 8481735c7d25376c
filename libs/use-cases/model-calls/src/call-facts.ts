import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { ModelCall } from './model-call.ts';
import {
  bytesOf,
  chargeOf,
  estimateTokens,
  type ExpectedCall,
  type TokenCounts,
  type UsageRow,
  type UsageSource,
} from '@steward/models';
import type { CallPath } from './call-path.ts';

/** Outcome of a call, regardless of whether the client, the provider or the service ended it. */
export interface CallOutcome {
  readonly status: UsageRow['status'];
  readonly errorClass: string | null;
  /** Usage of the call. Undefined if there is no count and nothing was sent that could incur a cost. */
  readonly usage: { readonly counts: TokenCounts; readonly source: UsageSource } | undefined;
  readonly firstByteMs: number | null;
}

/** Returns the caller, to whom usage and budgets are attributed. */
function describeCaller(principal: Principal) {
  const { accountId, apiKeyId, userId, runtimePrincipal, executionId } = principal;
  const isRun = executionId !== undefined;
  return {
    accountId,
    // The token of a run has no stored key, and does not belong to a person.
    apiKeyId: isRun ? null : (apiKeyId ?? null),
    userId: isRun ? null : userId,
    managedAgentId: isRun ? null : (runtimePrincipal?.id ?? null),
    executionId: executionId ?? null,
    flowId: isRun ? (runtimePrincipal?.id ?? null) : null,
  };
}

export type CallHead = Omit<ModelCall, 'model' | 'expected'>;

/** Properties of a call that determine its cost. */
export interface CallSizes {
  readonly bytes: Buffer;
  /** Number of bytes from which the input tokens are estimated. */
  readonly inputBytes: number;
  /**
   * The part of the request because of which the cost cannot be determined from the bytes of the body, such as a file
   * or a provider tool; undefined if there is no such part.
   */
  readonly reference: string | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly answers: number;
}

/** Starts the record of a newly arrived call. */
export function beginHead(
  { path, principal, stream }: Pick<CallHead, 'stream'> & { readonly path: CallPath; readonly principal: Principal },
  clock: Clock,
): CallHead {
  return { ...describeCaller(principal), id: newId(), occurredAt: clock.now(), endpoint: path.slice(1), stream };
}

/**
 * Members that change the cost of a call although they are not part of its input, or that add input of unknown size.
 */
const NOT_READ: ReadonlySet<string> = new Set(['tools', 'service_tier', 'speed', 'context_management']);

/**
 * Returns the number of bytes from which the input is estimated if the provider reports no count. If the call refers to
 * content outside its body, the number is at least the size of the reserved input.
 */
export function sizeInput({ inputBytes, reference }: CallSizes, reserves: { readonly inputTokens: number }): number {
  const isRead = reference !== undefined && !NOT_READ.has(reference);
  return isRead ? Math.max(inputBytes, bytesOf(reserves.inputTokens)) : inputBytes;
}

/** Returns the data from which the maximum tokens of the call are estimated. Embedding calls have no output. */
export function expectCall(
  path: CallPath,
  body: CallSizes,
  reserves: { readonly inputTokens: number; readonly outputTokens: number },
): ExpectedCall {
  const maxOutputTokens = path === '/embeddings' ? 0 : body.maxOutputTokens;
  const { answers, reference, bytes } = body;
  return {
    inputBytes: sizeInput(body, reserves),
    ...(reference === undefined ? {} : { leastInputTokens: reserves.inputTokens }),
    isDearerTier: reference === 'service_tier' || reference === 'speed',
    isRegional: bytes.includes('inference_geo'),
    cache: findCache(bytes),
    maxOutputTokens,
    defaultOutputTokens: reserves.outputTokens,
    answers,
  };
}

/**
 * Returns the lifetime of cached content. For providers that charge for cache writes, the request itself states this
 * lifetime.
 */
function findCache(bytes: Buffer): 'none' | 'short' | 'long' {
  if (!bytes.includes('cache_control')) return bytes.includes('\\u') ? 'short' : 'none';
  return bytes.includes('1h') ? 'long' : 'short';
}

/**
 * Returns the maximum output of a call, according to the limits of its client and its model; `Infinity` if neither has
 * one.
 */
export function limitOutput(
  { maxOutputTokens = Infinity, answers }: Pick<CallSizes, 'maxOutputTokens' | 'answers'>,
  model: Pick<ModelCall['model'], 'maxOutputTokens'>,
): number {
  return Math.min(maxOutputTokens, model.maxOutputTokens ?? Infinity) * answers;
}

/** Assumed output speed of a model; few models write faster. */
const TOKENS_PER_SECOND = 200;

/** Returns the number of tokens that can be written in the given time. */
export function guessWritten(durationMs: number): number {
  return Math.ceil((durationMs * TOKENS_PER_SECOND) / 1000);
}

/**
 * Returns the usage of a call that was sent but received no response: all of its input, and the output that is possible
 * in the elapsed time, but at most the reserved number of output tokens.
 */
export function guessUnanswered(
  expected: ExpectedCall,
  model: Pick<ModelCall['model'], 'maxOutputTokens'>,
  durationMs: number,
): NonNullable<CallOutcome['usage']> {
  const { inputTokens, outputTokens } = estimateTokens(expected, model);
  const written = guessWritten(durationMs) * (expected.answers ?? 1);
  return { counts: { inputTokens, outputTokens: Math.min(outputTokens, written) }, source: 'estimated' };
}

export interface RowFacts extends CallOutcome {
  readonly head: CallHead;
  /** Model of the call. Undefined if there is no model with that name, or the call was refused before the look-up. */
  readonly model: ModelCall['model'] | undefined;
  readonly durationMs: number;
}

export function buildUsageRow({ head, model, usage, ...outcome }: RowFacts): UsageRow {
  const { status, errorClass, firstByteMs, durationMs } = outcome;
  return {
    ...head,
    runtimeSessionId: null,
    ...describeModel(model),
    ...describeUsage(usage, model),
    status,
    durationMs: Math.round(durationMs),
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    errorClass,
  };
}

function describeModel(model: RowFacts['model']) {
  if (model === undefined) return { modelId: null, modelAlias: null, provider: null, priceSource: 'unknown' } as const;
  const { id: modelId, alias: modelAlias, provider, price } = model;
  return { modelId, modelAlias, provider, priceSource: price.source };
}

/** Returns the usage columns of a row. A call that was never sent costs nothing, whatever the price. */
function describeUsage(usage: CallOutcome['usage'], model: RowFacts['model']) {
  if (usage === undefined || model === undefined)
    return { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: '0', usageSource: null };
  const { counts, source: usageSource } = usage;
  const { costUsd, source: priceSource } = chargeOf(model.price, counts);
  const { inputTokens, outputTokens } = counts;
  // Some providers count more cached tokens than input tokens.
  const cachedInputTokens = Math.min(counts.cachedInputTokens ?? 0, inputTokens);
  return { inputTokens, cachedInputTokens, outputTokens, costUsd, priceSource, usageSource };
}
