export type StopReason = 'account_rows' | 'pass_rows' | 'pass_seconds' | 'finished' | 'failed';

/** Position of a session in a walk, which begins with the session that started last. */
export interface Place {
  readonly startedAt: Date;
  readonly id: string;
}

/** Stored progress of the walk over an account's history. */
export interface Watermark extends NewWatermark {
  /** Time of the last update, according to the database's clock; it changes whenever a process advances the walk. */
  readonly lastPassAt: Date;
  readonly completedAt: Date | null;
}

export interface NewWatermark {
  readonly state: 'in_progress' | 'complete';
  /**
   * Position after which the walk continues: the last completely processed session, or the age limit of the last walk.
   */
  readonly cursor: Place | undefined;
  /** Number of sources written by all walks. */
  readonly written: number;
  readonly stopReason: StopReason;
  readonly walkStartedAt: Date;
  /** Generation up to which the walk has to cover all content that was stored unindexed. */
  readonly walkGeneration: number;
  /** Start of the last completed walk. */
  readonly coveredUntil: Date | null;
  /** Time from which the corpus is complete, according to the walk. */
  readonly indexedFrom: Date | null;
  /** Age limit of the last completed walk; null if it had none. */
  readonly walkedSince: Date | null;
  /** Number of consecutive walks with content that could not be split into chunks. */
  readonly failedWalks: number;
}
