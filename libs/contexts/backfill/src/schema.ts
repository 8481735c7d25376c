import type { Kysely } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { StopReason } from './watermark.ts';

export interface WatermarkTable {
  account_id: string;
  state: 'in_progress' | 'complete';
  cursor_started_at: Date | null;
  cursor_session_id: string | null;
  sources_written: number;
  last_pass_at: Date;
  stop_reason: StopReason;
  completed_at: Date | null;
  walk_started_at: Date;
  walk_generation: number;
  covered_until: Date | null;
  indexed_from: Date | null;
  walked_since: Date | null;
  failed_walks: number;
}

export interface BackfillDatabase {
  'backfill.watermark': WatermarkTable;
}

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<BackfillDatabase> => db;
