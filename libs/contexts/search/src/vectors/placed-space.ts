/** Location of a space's vectors. */
export interface PlacedSpace {
  readonly spaceId: string;
  readonly accountId: string;
  /** Its own table; null while the shared one contains it. */
  readonly segment: string | null;
  /** Number of vectors in its own table, by the last statistics. */
  readonly segmentRows: number;
  /** Sessions whose vectors are being deleted. */
  readonly deletedSessionIds: readonly string[];
}
