/** Time range of a list. */
export interface TimeBounds {
  /** Start of the range, inclusive. */
  readonly since?: Date | undefined;
  /** End of the range, exclusive. */
  readonly until?: Date | undefined;
}
