/** Ways in which usage can be grouped. */
export const USAGE_GROUPS = ['model', 'agent', 'api_key', 'flow', 'session', 'day'] as const;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageSums {
  readonly calls: number;
  /** Number of calls that were refused; they are included in `calls`. */
  readonly refusedCalls: number;
  /** Number of calls with an unknown price; their cost counts as zero in `costUsd`. */
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Cost in US dollars as a decimal string. */
  readonly costUsd: string;
}

export interface UsageSummary {
  /**
   * Groups by descending cost; days are in chronological order. The key is null for calls without a value to group by.
   */
  readonly groups: readonly ({ readonly key: string | null } & UsageSums)[];
  /** Sums of all groups, including those that are not returned. */
  readonly total: UsageSums;
  /** True if there are more groups than the response contains. */
  readonly isCut: boolean;
}
