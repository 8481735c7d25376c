import type { ChunkWritten } from '@steward/contracts';
import type { Metrics } from '@steward/process';

export interface ChunkCounter {
  count(message: ChunkWritten): void;
  /**
   * Returns the numbers of sources and chunks that were reported since the process started, for the health response.
   */
  readActivity(): Readonly<Record<string, unknown>>;
}

/**
 * Counts the written chunks, only for metrics and the health response: chunks can be found by their words as soon as
 * their transaction has committed.
 */
export function createChunkCounter(metrics: Metrics): ChunkCounter {
  const counter = metrics.counter('steward_chunks_written_total', 'Chunks reported by the processes that wrote them.', [
    'source_kind',
  ]);
  let sources = 0;
  let chunks = 0;
  return {
    count(message) {
      counter.inc({ source_kind: message.source_kind }, message.chunk_count);
      sources += 1;
      chunks += message.chunk_count;
    },
    readActivity: () => ({ sources_seen: sources, chunks_seen: chunks }),
  };
}
