import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { eventually, useOpened } from '@steward/testing';
import { openVectors } from '../../testing/open-vectors.ts';
import { buildVectorCorpus, loadVectors } from '../../testing/vector-corpus.ts';
import { makeSegment, moveVectors } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import { writeVectors } from './write-vectors.ts';

describe('vectors under concurrent changes', () => {
  const suite = useOpened(openVectors);

  const vector = (x: number, y: number, z: number): Float32Array => Float32Array.from([x, y, z]);
  const deleteChunk = (accountId: string, chunkId: string) =>
    suite().database.pool.query('delete from search.chunk where account_id = $1 and id = $2', [accountId, chunkId]);

  it('are all found by every search while two workers move them to a separate table', async () => {
    const space = await suite().makeSpace(newId(), 8);
    const corpus = buildVectorCorpus(400, 8);
    await loadVectors(suite(), space, corpus);
    let isMoving = true;
    const move = async () => {
      await makeSegment(suite().indexer.db, space.id);
      const [{ segment = null } = { segment: null }] = await listSpaces(suite().indexer.db, space.accountId);
      const moving = { id: space.id, segment: String(segment), limit: 7 };
      while ((await moveVectors(suite().indexer.db, moving)).moved > 0);
    };
    const search = async () => {
      let searches = 0;
      while (isMoving) {
        const found = await suite().nearest(space, corpus[searches]?.vector ?? new Float32Array(8), { limit: 500 });
        expect(new Set(found.map(({ chunkId }) => chunkId)).size).toBe(400);
        expect(found).toHaveLength(400);
        searches += 1;
      }
      return searches;
    };
    const searching = [search(), search()];
    await Promise.all([move(), move()]);
    await Promise.all([move(), move()]);
    isMoving = false;
    expect((await Promise.all(searching)).every((searches) => searches > 0)).toBe(true);
    expect(await suite().query('select from search.chunk_vector where space_id = $1', [space.id])).toEqual([]);
  });

  it('are deleted with their chunks while the chunks are moved', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const told = [];
    for (let index = 0; index < 60; index += 1) told.push(await suite().tell(space, vector(1, index, 0)));
    await makeSegment(suite().indexer.db, space.id);
    const [{ segment = null } = { segment: null }] = await listSpaces(suite().indexer.db, space.accountId);
    const [gone, kept] = [told.slice(0, 45), told.slice(45).map(({ chunkId }) => chunkId)];
    const moving = { id: space.id, segment: String(segment), limit: 2 };
    const move = async () => {
      while ((await moveVectors(suite().indexer.db, moving)).moved > 0);
    };
    const remove = async (from: number) => {
      for (const { chunkId } of gone.filter((_, index) => index % 3 === from))
        await deleteChunk(space.accountId, chunkId);
    };
    await Promise.all([move(), remove(0), remove(1), remove(2), move()]);
    await move();
    const stored = await suite().query<{ chunk_id: string }>(
      `select chunk_id from search.${String(segment)} order by chunk_id`,
    );
    expect(stored.map((row) => row.chunk_id)).toEqual(kept.toSorted());
    expect(await suite().query('select from search.chunk_vector where space_id = $1', [space.id])).toEqual([]);
  });

  it('are not retained for a chunk that is deleted during the write: the deletion waits', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const { chunkId } = await suite().tell(space, vector(1, 0, 0));
    await suite().query('delete from search.chunk_vector where chunk_id = $1', [chunkId]);
    let deleting: Promise<unknown> | undefined;
    await transact({ db: suite().indexer.db }, async (trx) => {
      const vectors = [{ chunkId, vector: vector(1, 0, 0) }];
      expect(await writeVectors(trx, { space, vectors })).toEqual({ written: 1, busy: [] });
      deleting = deleteChunk(space.accountId, chunkId);
      await eventually(
        async () =>
          (
            await suite().query(
              `select from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from search.chunk%'`,
            )
          ).length > 0,
      );
    });
    await deleting;
    expect(await suite().query('select from search.chunk_vector where chunk_id = $1', [chunkId])).toEqual([]);
  });

  it('are not written for a deleted chunk, or for one that is being deleted, which is reported', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const gone = await suite().tell(space, vector(1, 0, 0));
    const going = await suite().tell(space, vector(1, 0, 0));
    const kept = await suite().tell(space, vector(1, 0, 0));
    await deleteChunk(space.accountId, gone.chunkId);
    const vectors = [gone, going, kept].map(({ chunkId }) => ({ chunkId, vector: vector(0, 1, 0) }));
    await transact({ db: suite().database.db }, async (trx) => {
      await trx.deleteFrom('search.chunk').where('id', '=', going.chunkId).execute();
      const outcome = await transact({ db: suite().indexer.db }, (write) => writeVectors(write, { space, vectors }));
      expect(outcome).toEqual({ written: 1, busy: [going.chunkId] });
    });
  });

  it.each([
    ['zero', vector(0, 0, 0)],
    ['not a number', vector(Number.NaN, 1, 0)],
    ['infinite', vector(Infinity, 1, 0)],
    ['too narrow', Float32Array.from([1, 0])],
  ])('are all refused if one is %s', async (_what, wrong) => {
    const space = await suite().makeSpace(newId(), 3);
    const { chunkId } = await suite().tell(space, vector(1, 0, 0));
    const other = await suite().write(space.accountId, 'other');
    const [chunk] = await suite().query<{ id: string }>('select id from search.chunk where source_id = $1', [
      other.source.sourceId,
    ]);
    const vectors = [
      { chunkId: String(chunk?.id), vector: vector(1, 0, 0) },
      { chunkId, vector: wrong },
    ];
    await expect(transact({ db: suite().indexer.db }, (trx) => writeVectors(trx, { space, vectors }))).rejects.toThrow(
      RangeError,
    );
    expect(await suite().nearest(space, vector(1, 0, 0))).toHaveLength(1);
  });

  it('never match another model, even one of the same dimensions', async () => {
    const first = await suite().makeSpace(newId(), 3);
    const second = await suite().makeSpace(first.accountId, 3, { modelIdentifier: 'model-b' });
    const one = await suite().tell(first, vector(1, 0, 0));
    const two = await suite().tell(second, vector(1, 0, 0));
    const ids = async (space: typeof first) =>
      (await suite().nearest(space, vector(1, 0, 0))).map(({ chunkId }) => chunkId);
    expect([await ids(first), await ids(second)]).toEqual([[one.chunkId], [two.chunkId]]);
    expect(await suite().makeSpace(first.accountId, 3)).toEqual(first);
  });
});
