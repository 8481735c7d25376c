import type { BudgetPeriod } from './rules/period.ts';

export const BUDGET_SCOPES = ['account', 'managed_agent', 'api_key', 'flow'] as const;

export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Subject of a budget, which cannot be changed. */
export interface BudgetSubject {
  readonly scope: BudgetScope;
  /** Id of the key, flow or agent; null for the whole account. */
  readonly scopeId: string | null;
  /** Alias of the model; null: all models. */
  readonly modelAlias: string | null;
  readonly period: BudgetPeriod;
  /** IANA name of the time zone in which the days, weeks, months and years of the budget begin. */
  readonly timeZone: string;
}

export interface BudgetTerms {
  /** Limit in US dollars as a decimal string, above 0. */
  readonly limitAmount: string;
  /** True if calls that would exceed the limit are refused. */
  readonly isHard: boolean;
  /**
   * For a hard budget: true if calls whose cost cannot be determined from their body are refused; false if the maximum
   * cost is reserved for them.
   */
  readonly refusesUnsized: boolean;
  readonly thresholdsPercent: readonly number[];
  readonly isEnabled: boolean;
}

export interface BudgetBase extends BudgetSubject, BudgetTerms {
  readonly id: string;
  readonly armGeneration: number;
}

/** A budget with the spend and reservations of one period; amounts are decimal strings. */
export interface Budget extends BudgetBase {
  readonly periodStart: Date;
  /** End of the period; undefined: no end. */
  readonly periodEnd: Date | undefined;
  readonly spent: string;
  readonly reserved: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The ids of two agents that were merged. */
export interface JoinedAgents {
  readonly accountId: string;
  /** Id of the agent that was merged into the agent `to`. */
  readonly agentId: string;
  readonly to: string;
}
