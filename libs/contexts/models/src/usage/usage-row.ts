import type { ModelProvider } from '../models/provider.ts';
import type { PriceSource } from '../prices/price.ts';

/**
 * Outcome of a call: `ok`, `error` (at the provider or in Steward), `aborted` (the client disconnected), `refused` (by
 * Steward, before anything was sent).
 */
export const USAGE_STATUSES = ['ok', 'error', 'aborted', 'refused'] as const;

export type UsageStatus = (typeof USAGE_STATUSES)[number];

/**
 * Source of the counts: the provider, an estimate by Steward, the part of the stream that arrived before it broke off,
 * or a reservation whose process died.
 */
export const USAGE_SOURCES = ['provider', 'estimated', 'partial', 'assumed'] as const;

export type UsageSource = (typeof USAGE_SOURCES)[number];

/** One model call and its cost. */
export interface UsageRow {
  /** The code that records the call chooses this id once: a second row with the same id is for the same call. */
  readonly id: string;
  readonly accountId: string;
  /** Time of the reservation for the call; without a reservation, the time at which the call arrived. */
  readonly occurredAt: Date;
  readonly apiKeyId: string | null;
  readonly userId: string | null;
  readonly managedAgentId: string | null;
  readonly executionId: string | null;
  readonly flowId: string | null;
  readonly runtimeSessionId: string | null;
  /**
   * The model that served the call; if none did, the model that was tried last or, if none was tried, the requested
   * model. Null if the call was refused before a model was chosen (for example because no enabled model has the
   * requested name, or because of the kill switch), and for embedding calls of the search, whose models do not belong
   * to the account.
   */
  readonly modelId: string | null;
  readonly modelAlias: string | null;
  readonly provider: ModelProvider | null;
  /** `chat/completions`, `responses`, `embeddings`, `messages`, ... */
  readonly endpoint: string;
  readonly status: UsageStatus;
  /** Number of input tokens, including cached ones. Null if they were not counted. */
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
  /**
   * US dollars as a decimal string, as returned by `costOf`; null if the price is unknown, and 0 if the provider was
   * not called.
   */
  readonly costUsd: string | null;
  readonly priceSource: PriceSource;
  /** Source of the token counts. Null if the provider was not called. */
  readonly usageSource: UsageSource | null;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  readonly stream: boolean;
  readonly errorClass: string | null;
}

/** Filter of rows; undefined means no filter. */
export interface UsageFilter {
  readonly accountId: string;
  /** Start of the period, inclusive. */
  readonly since?: Date | undefined;
  /** End of the period, exclusive. */
  readonly until?: Date | undefined;
  readonly modelId?: string | undefined;
  readonly modelAlias?: string | undefined;
  readonly provider?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly status?: UsageStatus | undefined;
  readonly apiKeyId?: string | undefined;
  readonly userId?: string | undefined;
  /** Id of an agent and ids of the agents that were merged into it; matches any of them. */
  readonly managedAgentIds?: readonly string[] | undefined;
  readonly flowId?: string | undefined;
  readonly executionId?: string | undefined;
  readonly runtimeSessionId?: string | undefined;
}
