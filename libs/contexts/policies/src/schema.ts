import type { ColumnType, Generated, JSONColumnType, Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { BacktestCounts } from './backtests/backtest.ts';
import type { PolicyDocument } from './document/rules/policy-document.ts';

/** A timestamp that the server sets by default. */
type GeneratedTime = ColumnType<Date, Date | undefined, Date>;

export type DocumentFormat = 'yaml' | 'json';

interface PolicyVersionTable {
  account_id: string;
  version: number;
  source_text: string;
  format: DocumentFormat;
  document: JSONColumnType<PolicyDocument>;
  message: string | null;
  rolled_back_to: number | null;
  created_by: string | null;
  created_at: GeneratedTime;
}

interface PolicyHeadTable {
  account_id: string;
  version: number;
}

interface BacktestTable {
  id: string;
  account_id: string;
  status: Generated<'queued' | 'running' | 'finished' | 'failed'>;
  document: ColumnType<PolicyDocument | null, string | null, never>;
  version: number;
  since: Date;
  until: Date;
  call_limit: number;
  cursor_occurred_at: Date | null;
  cursor_id: string | null;
  examined: Generated<number>;
  without_arguments: Generated<number>;
  allowed: Generated<number>;
  denied: Generated<number>;
  held: Generated<number>;
  changed: Generated<number>;
  changed_examples: JSONColumnType<object, string | undefined, string>;
  counts: JSONColumnType<BacktestCounts | null, undefined, string | null>;
  failure: string | null;
  attempts: Generated<number>;
  due_at: GeneratedTime;
  created_by: string | null;
  created_at: GeneratedTime;
  finished_at: Date | null;
}

export type BacktestRow = Selectable<BacktestTable>;

export interface PoliciesDatabase {
  'policies.policy_version': PolicyVersionTable;
  'policies.policy_head': PolicyHeadTable;
  'policies.backtest': BacktestTable;
}

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<PoliciesDatabase> => db;
