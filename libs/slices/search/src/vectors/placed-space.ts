/** Where a space's vectors lie. */
export interface PlacedSpace {
  readonly spaceId: string;
  readonly accountId: string;
  /** Its own table; null as long as the shared one holds it. */
  readonly segment: string | null;
  /** Vectors in its own table, by the last statistics. */
  readonly segmentRows: number;
  /** Sessions whose vectors are on their way out. */
  readonly deletedSessionIds: readonly string[];
}
