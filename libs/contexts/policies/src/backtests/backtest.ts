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

export interface BacktestTallies {
  readonly examined: number;
  readonly withoutArguments: number;
  readonly allowed: number;
  readonly denied: number;
  readonly held: number;
  readonly changed: number;
  readonly examples: readonly ChangedExample[];
}

export interface Backtest extends BacktestTallies {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'finished' | 'failed';
  readonly version: number;
  /** True if it tests a document other than that version. */
  readonly hasDocument: boolean;
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
