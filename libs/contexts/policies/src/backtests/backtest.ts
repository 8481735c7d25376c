import type { PolicyAction } from '../document/rules/policy-document.ts';

/** Maximum number of calls per backtest. */
export const MAX_BACKTEST_CALLS = 100_000;

/** A call whose decision would change, without its arguments. */
export interface ChangedExample {
  readonly tool_call_id: string;
  readonly runtime_session_id: string;
  readonly occurred_at: string;
  readonly tool_name: string;
  readonly before: PolicyAction;
  readonly after: PolicyAction;
  /** The rule of the new decision; null if a default decided. */
  readonly rule_id: string | null;
}

/** Numbers of calls that a rule decided. */
export interface RuleCounts {
  /** Null for the default, which decides if no rule does. */
  readonly rule_id: string | null;
  /** Number of calls that the rule decided in the version in force; 0 if the recorded outcomes are the baseline. */
  readonly before: number;
  /** Number of calls that the rule decides in the document that is tested. */
  readonly after: number;
  /** Number of calls in `after` that the baseline decides differently. */
  readonly changed: number;
}

export interface BacktestCounts {
  /** Decisions of the baseline. */
  readonly before: Readonly<Record<PolicyAction, number>>;
  /** The rules of the tested document in order, then the default, then rules that only the baseline has. */
  readonly rules: readonly RuleCounts[];
}

export interface BacktestTallies {
  readonly examined: number;
  readonly withoutArguments: number;
  readonly allowed: number;
  readonly denied: number;
  readonly held: number;
  readonly changed: number;
  readonly examples: readonly ChangedExample[];
  /**
   * Null before the first batch, or if some of the calls were examined by an earlier version of the service, which does
   * not keep these counts.
   */
  readonly counts: BacktestCounts | null;
}

export interface Backtest extends BacktestTallies {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'finished' | 'failed';
  readonly version: number;
  /** True if the backtest tests a document other than that of `version`. */
  readonly hasDocument: boolean;
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  /** Time of the oldest call that was examined so far; calls are examined newest first. */
  readonly examinedBackTo: Date | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
