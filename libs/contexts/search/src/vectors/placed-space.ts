/** Table and size of a space's vectors. */
export interface PlacedSpace {
  readonly spaceId: string;
  readonly accountId: string;
  /** Separate table of the space; null as long as its vectors are in the shared table. */
  readonly segment: string | null;
  /** Number of vectors in the separate table, according to the last statistics. */
  readonly segmentRows: number;
  /** Sessions whose vectors are being deleted. */
  readonly deletedSessionIds: readonly string[];
}
