export type StopReason = 'account_rows' | 'pass_rows' | 'pass_seconds' | 'finished' | 'failed';

/** A session in the order of a walk: newest start first. */
export interface Place {
  readonly startedAt: Date;
  readonly id: string;
}

/** How far the walk over an account's history has come, as it is kept. */
export interface Watermark extends NewWatermark {
  /** When it was kept, by the database's clock: changes whenever anybody walks on. */
  readonly lastPassAt: Date;
  readonly completedAt: Date | null;
}

export interface NewWatermark {
  readonly state: 'in_progress' | 'complete';
  /** The last session that is indexed whole. */
  readonly cursor: Place | undefined;
  /** Sources written by all walks. */
  readonly written: number;
  readonly stopReason: StopReason;
  readonly walkStartedAt: Date;
  /** What was stored unindexed up to this generation lies before the walk. */
  readonly walkGeneration: number;
  /** Start of the last walk that came through. */
  readonly coveredUntil: Date | null;
  /** The corpus is complete from here on, as far as the walk tells. */
  readonly indexedFrom: Date | null;
  /** How far back the last walk that came through went; null when it had no age bound. */
  readonly walkedSince: Date | null;
  /** Walks in a row that met content which cannot be made into chunks. */
  readonly failedWalks: number;
}
