/** Groupings of usage. */
export const USAGE_GROUPS = ['model', 'agent', 'api_key', 'flow', 'session', 'day'] as const;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageSums {
  readonly calls: number;
  /** Includes refused calls. */
  readonly refusedCalls: number;
  /** Calls with unknown prices; they count as zero in the cost. */
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars as decimal text. */
  readonly costUsd: string;
}

export interface UsageSummary {
  /** Most expensive first; days in order. The key is null for calls without one. */
  readonly groups: readonly ({ readonly key: string | null } & UsageSums)[];
  /** Covers all groups, including omitted ones. */
  readonly total: UsageSums;
  /** There are more groups than the response contains. */
  readonly isCut: boolean;
}
