/** What usage is summed up by. */
export const USAGE_GROUPS = ['model', 'agent', 'api_key', 'flow', 'session', 'day'] as const;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageSums {
  readonly calls: number;
  /** Refused ones among them. */
  readonly refusedCalls: number;
  /** Those whose price nobody knows; they count as nothing in the cost. */
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars as decimal text. */
  readonly costUsd: string;
}

export interface UsageSummary {
  /** Dearest first; days in their order. The key is null for calls without one. */
  readonly groups: readonly ({ readonly key: string | null } & UsageSums)[];
  /** Of all groups, also of those left out. */
  readonly total: UsageSums;
  /** There are more groups than an answer holds. */
  readonly isCut: boolean;
}
