import type { BudgetPeriod } from './rules/period.ts';

export const BUDGET_SCOPES = ['account', 'managed_agent', 'api_key', 'flow'] as const;

export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** What a budget is about: it stays what it is as long as there is the budget. */
export interface BudgetSubject {
  readonly scope: BudgetScope;
  /** Null for the account. */
  readonly scopeId: string | null;
  /** Null: all models. */
  readonly modelAlias: string | null;
  readonly period: BudgetPeriod;
  /** IANA name: its days, weeks, months and years begin there. */
  readonly timeZone: string;
}

export interface BudgetTerms {
  /** US dollars as decimal text, above 0. */
  readonly limitAmount: string;
  /** Calls that would pass the limit are refused. */
  readonly isHard: boolean;
  /** Where it is hard: calls whose body does not show what they cost are refused, instead of held by the largest input. */
  readonly refusesUnsized: boolean;
  readonly thresholdsPercent: readonly number[];
  readonly isEnabled: boolean;
}

export interface BudgetBase extends BudgetSubject, BudgetTerms {
  readonly id: string;
  readonly armGeneration: number;
}

/** A budget with the books of the period asked about; amounts are decimal text. */
export interface Budget extends BudgetBase {
  readonly periodStart: Date;
  /** Undefined: never. */
  readonly periodEnd: Date | undefined;
  readonly spent: string;
  readonly reserved: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Two agents that are one from now on. */
export interface JoinedAgents {
  readonly accountId: string;
  /** The one that is no more. */
  readonly agentId: string;
  readonly to: string;
}
