import type { ChunkWritten, SourceKind } from '@steward/contracts';
import { createMetrics } from '@steward/process';
import { createChunkCounter } from './count-chunks.ts';

const ID = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const written = (sourceKind: SourceKind, chunkCount: number) =>
  ({ account_id: ID, source_kind: sourceKind, source_id: ID, chunk_count: chunkCount }) as unknown as ChunkWritten;

describe('the count of written chunks', () => {
  it('is part of the health response, and covers the messages since the start', () => {
    const counter = createChunkCounter(createMetrics('test'));
    expect(counter.readActivity()).toMatchObject({ sources_seen: 0, chunks_seen: 0 });
    counter.count(written('tool_call', 3));
    counter.count(written('operator_note', 1));
    expect(counter.readActivity()).toEqual({ sources_seen: 2, chunks_seen: 4 });
  });

  it('counts sources separately from chunks: a text without a chunk is also a source', () => {
    const counter = createChunkCounter(createMetrics('test'));
    counter.count(written('session_summary', 0));
    expect(counter.readActivity()).toMatchObject({ sources_seen: 1, chunks_seen: 0 });
  });

  it('shows the chunks of each kind in the metrics', async () => {
    const metrics = createMetrics('test');
    const counter = createChunkCounter(metrics);
    for (const chunks of [3, 2]) counter.count(written('tool_call', chunks));
    expect(await metrics.render()).toMatch(/steward_chunks_written_total\{source_kind="tool_call".*\} 5/);
  });

  it('counts each process separately', () => {
    const [first, second] = [createChunkCounter(createMetrics('a')), createChunkCounter(createMetrics('b'))];
    first.count(written('flow_log', 2));
    expect(second.readActivity()).toMatchObject({ chunks_seen: 0 });
  });
});
