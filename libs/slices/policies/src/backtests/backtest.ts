import type { PolicyAction } from '../document/rules/policy-document.ts';

/** Calls of one backtest. */
export const MAX_BACKTEST_CALLS = 100_000;

/** A call that was recorded, whoever keeps it. */
export interface RecordedCall {
  readonly id: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** As its agent named it. */
  readonly toolName: string;
  /** Undefined where they were not captured. */
  readonly arguments: unknown;
  readonly session: { readonly sourceType: string };
  readonly agent: { readonly id: string; readonly name: string } | undefined;
  readonly apiKeyId: string | null;
  readonly execution: { readonly id: string; readonly flowId: string } | undefined;
}

/** A call that would be decided otherwise; no argument of it. */
export interface ChangedExample {
  readonly tool_call_id: string;
  readonly runtime_session_id: string;
  readonly occurred_at: string;
  readonly tool_name: string;
  readonly before: PolicyAction;
  readonly after: PolicyAction;
  /** The rule that decides now; null: a default. */
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
  /** Whether it tries another document than that version. */
  readonly hasDocument: boolean;
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
