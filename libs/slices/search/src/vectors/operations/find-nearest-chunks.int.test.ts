import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';

describe('findNearestChunks', () => {
  let suite: OpenVectors;
  beforeAll(async () => {
    suite = await openVectors();
  });
  afterAll(() => suite.close());

  it.each([1, 384, 2000, 4000])('finds vectors of width %i, nearest first', async (width) => {
    const space = await suite.makeSpace(newId(), width);
    const near = await suite.tell(space, point(width, 1, 0.1));
    const far = await suite.tell(space, point(width, -1, 0.1));
    const found = await suite.nearest(space, point(width, 1, 0));
    expect(found.map(({ chunkId }) => chunkId)).toEqual([near.chunkId, far.chunkId]);
    expect(found[0]?.similarity).toBeGreaterThan(0.99);
    expect(found[1]?.similarity).toBeLessThan(0);
    expect(found[0]?.sessionId).toBe(near.sessionId);
  });

  it('finds those of labelled sessions (SESS-17)', async () => {
    const space = await suite.makeSpace(newId(), 4);
    const [labelled] = [
      await suite.tell(space, point(4, 1, 0.2)),
      await suite.tell(space, point(4, 1, 0.1)),
      await suite.tell(space, point(4, 1, 0.3)),
    ];
    await suite.query(`insert into search.session_label values ($1, 'repo:api', $2)`, [
      space.accountId,
      labelled.sessionId,
    ]);
    const find = async (label: string) =>
      (await suite.nearest(space, point(4, 1, 0), { filter: { label } })).map(({ chunkId }) => chunkId);
    expect([await find('repo:api'), await find('repo:app')]).toEqual([[labelled.chunkId], []]);
  });
});

function point(width: number, first: number, second: number): Float32Array {
  return Float32Array.from({ length: width }, (_, index) => (index === 0 ? first : index === 1 ? second : 0));
}
