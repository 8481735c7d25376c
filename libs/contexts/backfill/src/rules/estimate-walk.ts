/** Bytes of content per chunk: a chunk has 1200 characters, 200 of which overlap with the previous chunk. */
const BYTES_PER_CHUNK = 1000;
const MOST_CHUNKS_PER_SOURCE = 64;

/** Returns the estimated number of chunks for content of this size, from 1 to 64. */
export function estimateChunks(sizeBytes: number): number {
  return Math.min(MOST_CHUNKS_PER_SOURCE, Math.max(1, Math.ceil(sizeBytes / BYTES_PER_CHUNK)));
}

export interface Pace {
  readonly intervalSeconds: number;
  readonly maxRowsPerPass: number;
  readonly maxRowsPerAccount: number;
}

/**
 * Returns the seconds until one account is completely processed: sessions without chunks times chunks per session,
 * divided by the rows of a pass, times the interval. One account gets no more rows of a pass than the limit per
 * account.
 */
export function estimateSeconds(
  backlog: { readonly sessionsWithoutChunks: number; readonly chunksPerSession: number },
  pace: Pace,
): number {
  const rows = backlog.sessionsWithoutChunks * backlog.chunksPerSession;
  return Math.ceil((rows / Math.min(pace.maxRowsPerPass, pace.maxRowsPerAccount)) * pace.intervalSeconds);
}
