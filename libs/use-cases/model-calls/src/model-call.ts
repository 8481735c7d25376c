import type { KeyLimits } from '@steward/contracts';
import type { SpendRequest } from '@steward/budgets';
import {
  estimateTokens,
  worstCost,
  type ExpectedCall,
  type ModelProvider,
  type PriceSource,
  type ServedModel,
  type UsageRow,
} from '@steward/models';

/** Caller, model and expected usage of a call that has not been made yet. */
export interface ModelCall extends Pick<
  UsageRow,
  | 'id'
  | 'accountId'
  | 'occurredAt'
  | 'apiKeyId'
  | 'userId'
  | 'managedAgentId'
  | 'executionId'
  | 'flowId'
  | 'endpoint'
  | 'stream'
> {
  readonly model: Pick<ServedModel, 'id' | 'alias' | 'provider' | 'price' | 'maxOutputTokens'>;
  readonly expected: ExpectedCall;
  /** Limits of the API key. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /**
   * The revision of the account's budgets that applies to the call; if undefined, the budgets are read from the
   * database.
   */
  readonly budgetsRevision?: number | undefined;
}

/** Stored data of a call from which its usage row is written if its process dies. */
interface KeptCall {
  readonly user_id: string | null;
  readonly execution_id: string | null;
  readonly model_id: string;
  readonly provider: ModelProvider;
  readonly price_source: PriceSource;
  readonly endpoint: string;
  readonly stream: boolean;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/**
 * Creates the budget request of a call.
 * @param replaces - Id of the call that this one replaces: the reservation of the replaced call is released
 */
export function requestSpend(call: ModelCall, replaces: string | undefined): SpendRequest {
  const { inputTokens, outputTokens } = estimateTokens(call.expected, call.model);
  const kept: KeptCall = {
    user_id: call.userId,
    execution_id: call.executionId,
    model_id: call.model.id,
    provider: call.model.provider,
    price_source: call.model.price.source,
    endpoint: call.endpoint,
    stream: call.stream,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  };
  return {
    id: call.id,
    apiKeyId: call.apiKeyId,
    managedAgentId: call.managedAgentId,
    flowId: call.flowId,
    modelAlias: call.model.alias,
    amountUsd: worstCost(call.expected, call.model),
    ...(call.expected.leastInputTokens === undefined ? {} : { isUnsized: true }),
    keyLimits: call.keyLimits,
    tokens: inputTokens + outputTokens,
    call: kept,
    replaces,
  };
}

/** Reservation of a call whose process died. */
export interface DeadCall extends Omit<SpendRequest, 'amountUsd' | 'replaces' | 'tokens'> {
  readonly occurredAt: Date;
  readonly amountUsd: string;
}

/** Returns the usage row of a call whose result is unknown: its maximum cost is charged. */
export function assumeUsage(accountId: string, dead: DeadCall, now: Date): UsageRow {
  const kept = dead.call as KeptCall;
  return {
    id: dead.id,
    accountId,
    occurredAt: dead.occurredAt,
    apiKeyId: dead.apiKeyId,
    userId: kept.user_id,
    managedAgentId: dead.managedAgentId,
    executionId: kept.execution_id,
    flowId: dead.flowId,
    runtimeSessionId: null,
    modelId: kept.model_id,
    modelAlias: dead.modelAlias,
    provider: kept.provider,
    endpoint: kept.endpoint,
    status: 'error',
    inputTokens: kept.input_tokens,
    cachedInputTokens: 0,
    outputTokens: kept.output_tokens,
    costUsd: kept.price_source === 'unknown' ? null : dead.amountUsd,
    priceSource: kept.price_source,
    usageSource: 'assumed',
    durationMs: Math.max(0, now.getTime() - dead.occurredAt.getTime()),
    firstByteMs: null,
    stream: kept.stream,
    errorClass: 'process_died',
  };
}
