import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openVectors } from '../../testing/open-vectors.ts';

describe('findNearestChunks', () => {
  const suite = useOpened(openVectors);

  it.each([1, 384, 2000, 4000])('finds vectors of %i dimensions, nearest first', async (width) => {
    const space = await suite().makeSpace(newId(), width);
    const near = await suite().tell(space, point(width, 1, 0.1));
    const far = await suite().tell(space, point(width, -1, 0.1));
    const found = await suite().nearest(space, point(width, 1, 0));
    expect(found.map(({ chunkId }) => chunkId)).toEqual([near.chunkId, far.chunkId]);
    expect(found[0]?.similarity).toBeGreaterThan(0.99);
    expect(found[1]?.similarity).toBeLessThan(0);
    expect(found[0]?.sessionId).toBe(near.sessionId);
  });

  it('finds chunks of labeled sessions (SESS-17)', async () => {
    const space = await suite().makeSpace(newId(), 4);
    const [labelled] = [
      await suite().tell(space, point(4, 1, 0.2)),
      await suite().tell(space, point(4, 1, 0.1)),
      await suite().tell(space, point(4, 1, 0.3)),
    ];
    await suite().query(`insert into search.session_label values ($1, 'repo:api', $2)`, [
      space.accountId,
      labelled.sessionId,
    ]);
    const find = async (label: string) =>
      (await suite().nearest(space, point(4, 1, 0), { filter: { label } })).map(({ chunkId }) => chunkId);
    expect([await find('repo:api'), await find('repo:app')]).toEqual([[labelled.chunkId], []]);
  });

  it('finds chunks with a status, of a tool and of a source type (SRCH-7)', async () => {
    const space = await suite().makeSpace(newId(), 4);
    const one = await suite().tell(space, point(4, 1, 0.2), { status: 'error' });
    const other = await suite().tell(space, point(4, 1, 0.1), { status: 'ok' });
    await suite().tell(space, point(4, 1, 0.1), { sourceKind: 'operator_note' });
    for (const [{ source }, name] of [
      [one, 'bash'],
      [other, 'grep'],
    ] as const) {
      await suite().query(
        `insert into gateway.session_content (account_id, id, runtime_session_id, kind, occurred_at, tool_name,
           content_captured, content_size_bytes, created_at) values ($1, $2, $3, 'tool_call', now(), $4, false, 0, now())`,
        [space.accountId, source.sourceId, source.runtimeSessionId, name],
      );
    }
    const find = async (filter: ChunkFilter) =>
      (await suite().nearest(space, point(4, 1, 0), { filter })).map(({ chunkId }) => chunkId);
    expect(await find({ status: 'error' })).toEqual([one.chunkId]);
    expect(await find({ toolName: 'grep' })).toEqual([other.chunkId]);
    expect(await find({ toolName: 'grep', status: 'error' })).toEqual([]);
    expect(await find({ sessionSourceType: 'ci' })).toEqual([]);
  });
});

function point(width: number, first: number, second: number): Float32Array {
  return Float32Array.from({ length: width }, (_, index) => (index === 0 ? first : index === 1 ? second : 0));
}
