import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { eventually, useOpened } from '@steward/testing';
import { openVectors } from '../../testing/open-vectors.ts';
import { dropFormerSpaces } from '../operations/drop-former-spaces.ts';
import { writeVectors } from '../operations/write-vectors.ts';
import type { VectorSpace } from '../vector-space.ts';
import { countVectors, makeSegment, moveVectors } from './upkeep.store.ts';
import { addWritten } from './chunk-vector.store.ts';
import { listSpaces, retireFormerSpaces } from './vector-space.store.ts';

describe('a space and its tables', () => {
  const suite = useOpened(openVectors);

  const vector = (x: number, y: number, z: number): Float32Array => Float32Array.from([x, y, z]);
  async function useSegment(space: VectorSpace): Promise<string> {
    await makeSegment(suite().indexer.db, space.id);
    const [found] = await listSpaces(suite().indexer.db, space.accountId);
    if (typeof found?.segment !== 'string') throw new Error('no segment was made');
    return found.segment;
  }
  const countIn = async (table: string, space: VectorSpace): Promise<number> =>
    (
      await suite().query<{ rows: number }>(`select count(*)::int as rows from search.${table} where space_id = $1`, [
        space.id,
      ])
    )[0]?.rows ?? 0;

  it('finds vectors before, during and after their move to a separate table', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const told = [];
    for (let index = 0; index < 4; index += 1) told.push(await suite().tell(space, vector(1, index, 0)));
    const find = async () => (await suite().nearest(space, vector(1, 0, 0))).map(({ chunkId }) => chunkId);
    const expected = told.map(({ chunkId }) => chunkId);
    const segment = await useSegment(space);
    expect(await find()).toEqual(expected);
    expect(await moveVectors(suite().indexer.db, { id: space.id, segment, limit: 2 })).toMatchObject({
      moved: 2,
    });
    expect([await countIn('chunk_vector', space), await countIn(segment, space)]).toEqual([2, 2]);
    expect(await find()).toEqual(expected);
    expect(await moveVectors(suite().indexer.db, { id: space.id, segment, limit: 20 })).toMatchObject({
      moved: 2,
    });
    expect(await find()).toEqual(expected);
    const late = await suite().tell(space, vector(1, -0.1, 0));
    expect([await countIn('chunk_vector', space), await countIn(segment, space)]).toEqual([1, 4]);
    expect((await find())[1]).toBe(late.chunkId);
  });

  it('finds a moved vector once after it is written again', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const { chunkId } = await suite().tell(space, vector(1, 0, 0));
    const segment = await useSegment(space);
    await moveVectors(suite().indexer.db, { id: space.id, segment, limit: 20 });
    const vectors = [{ chunkId, vector: vector(1, 0, 0) }];
    const write = () => transact({ db: suite().indexer.db }, (trx) => writeVectors(trx, { space, vectors }));
    expect(await write()).toEqual({ written: 1, busy: [] });
    expect([await countIn('chunk_vector', space), await countIn(segment, space)]).toEqual([0, 1]);
    expect(await suite().nearest(space, vector(1, 0, 0))).toHaveLength(1);
  });

  it('deletes a vector with its chunk, in every table', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const moved = await suite().tell(space, vector(1, 0, 0));
    const segment = await useSegment(space);
    await moveVectors(suite().indexer.db, { id: space.id, segment, limit: 20 });
    const waiting = await suite().tell(space, vector(1, 1, 0));
    const shared = await suite().tell(await suite().makeSpace(space.accountId, 2), Float32Array.from([1, 1]));
    for (const { chunkId } of [moved, waiting, shared]) {
      await suite().database.pool.query('delete from search.chunk where account_id = $1 and id = $2', [
        space.accountId,
        chunkId,
      ]);
    }
    expect([await countIn('chunk_vector', space), await countIn(segment, space)]).toEqual([0, 0]);
    expect(await suite().query('select from search.chunk_vector where chunk_id = $1', [shared.chunkId])).toEqual([]);
  });

  it('counts vectors that are written during the count', async () => {
    const space = await suite().makeSpace(newId(), 3);
    await suite().tell(space, vector(1, 0, 0));
    let counting: Promise<number> | undefined;
    await transact({ db: suite().indexer.db }, async (trx) => {
      await addWritten(trx, space.id, 5);
      counting = countVectors(suite().indexer.db, space.id);
      // The query includes only this database, since other test files also wait for locks on the same server.
      const waiting = `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
      await eventually(async () => (await suite().query(waiting)).length > 0);
    });
    expect(Number(await counting)).toBe(6);
  });

  it('is deleted with its tables once another space is in use', async () => {
    const former = await suite().makeSpace(newId(), 3);
    await suite().tell(former, vector(1, 0, 0));
    const segment = await useSegment(former);
    await suite().tell(former, vector(1, 1, 0));
    const present = await suite().makeSpace(former.accountId, 3, { modelIdentifier: 'model-b' });
    const kept = await suite().tell(present, vector(1, 0, 0));
    await retireFormerSpaces(suite().indexer.db, {
      accountId: former.accountId,
      presentSpaceId: present.id,
      now: new Date(),
    });
    expect((await listSpaces(suite().indexer.db, former.accountId)).map(({ id }) => id)).toEqual([present.id]);
    while ((await dropFormerSpaces(suite().indexer.db)) > 0);
    expect(await suite().query('select from pg_class where relname = $1', [segment])).toEqual([]);
    expect(await suite().query('select from search.chunk_vector where space_id = $1', [former.id])).toEqual([]);
    expect((await suite().nearest(present, vector(1, 0, 0))).map(({ chunkId }) => chunkId)).toEqual([kept.chunkId]);
  });
});
