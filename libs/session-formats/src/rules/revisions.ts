/**
 * Maximum number of entry ids that are remembered; a new version of an entry follows shortly after the previous one.
 */
const MOST_REMEMBERED = 20_000;

/** Counts how often a source has written an entry: the last version is the valid one. */
export interface Revisions {
  /** Returns the number of earlier versions of the entry: 0 for the first version. */
  next(sessionId: string, entryId: string): number;
}

export function createRevisions(): Revisions {
  const counts = new Map<string, number>();
  return {
    next(sessionId, entryId) {
      const key = `${sessionId}\n${entryId}`;
      const revision = (counts.get(key) ?? -1) + 1;
      counts.delete(key);
      counts.set(key, revision);
      const [oldest] = counts.keys();
      if (counts.size > MOST_REMEMBERED && oldest !== undefined) counts.delete(oldest);
      return revision;
    },
  };
}
