/** The stretch of time a list is asked for. */
export interface TimeBounds {
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}
