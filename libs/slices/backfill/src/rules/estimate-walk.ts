/** A chunk has 1200 characters, of which 200 are those of the chunk before. */
const BYTES_PER_CHUNK = 1000;
const MOST_CHUNKS_PER_SOURCE = 64;

/** What content of so many bytes will make; at least one chunk. */
export function estimateChunks(sizeBytes: number): number {
  return Math.min(MOST_CHUNKS_PER_SOURCE, Math.max(1, Math.ceil(sizeBytes / BYTES_PER_CHUNK)));
}

export interface Pace {
  readonly intervalSeconds: number;
  readonly maxRowsPerPass: number;
  readonly maxRowsPerAccount: number;
}

/**
 * Seconds until one account is walked: sessions without chunks times chunks per session, divided by the rows of a pass, times
 * the interval. One account gets no more rows of a pass than its own bound.
 */
export function estimateSeconds(
  backlog: { readonly sessionsWithoutChunks: number; readonly chunksPerSession: number },
  pace: Pace,
): number {
  const rows = backlog.sessionsWithoutChunks * backlog.chunksPerSession;
  return Math.ceil((rows / Math.min(pace.maxRowsPerPass, pace.maxRowsPerAccount)) * pace.intervalSeconds);
}
