export type PassStopReason = 'account_rows' | 'pass_rows' | 'pass_seconds' | 'finished' | 'failed';

export interface WatermarkTable {
  account_id: string;
  state: 'in_progress' | 'complete';
  cursor_started_at: Date | null;
  cursor_session_id: string | null;
  sources_written: number;
  last_pass_at: Date;
  stop_reason: PassStopReason;
  completed_at: Date | null;
  walk_started_at: Date;
  covered_until: Date | null;
  indexed_from: Date | null;
}

export interface BackfillDatabase {
  'backfill.watermark': WatermarkTable;
}
