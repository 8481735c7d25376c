import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { eventually, useOpened } from '@steward/testing';
import { maskLeftoverChunks } from '../../corpus/operations/mask-leftover-chunks.ts';
import { storeBatches } from '../../embedding/operations/store-batch.ts';
import { describeWalk } from '../../embedding/rules/describe-walk.ts';
import { openVectors } from '../../testing/open-vectors.ts';
import { makeSegment, moveVectors } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';

describe('a chunk that is masked again in place', () => {
  const suite = useOpened(openVectors);

  const vector = Float32Array.from([1, 0, 0]);
  const credential = `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`;
  const listTasks = (accountId: string) =>
    suite().query('select chunk_id, state from search.embedding_task where account_id = $1', [accountId]);

  /**
   * Two chunks of one session with vectors, both masked with older rules; one has a credential that those rules did not
   * detect.
   */
  async function tellOld() {
    const space = await suite().makeSpace(newId(), 3);
    const runtimeSessionId = newId();
    const changed = await suite().tell(space, vector, { runtimeSessionId });
    const same = await suite().tell(space, vector, { runtimeSessionId });
    // The setup itself must not cause any vectors to be dropped.
    await suite().query(`alter table search.chunk disable trigger user`);
    await suite().query(`update search.chunk set mask_version = 1 where account_id = $1`, [space.accountId]);
    await suite().query(`update search.chunk set content = $3 where account_id = $1 and id = $2`, [
      space.accountId,
      changed.chunkId,
      `left ${credential}`,
    ]);
    await suite().query(`alter table search.chunk enable trigger user`);
    return { space, runtimeSessionId, changed, same };
  }
  type Told = Awaited<ReturnType<typeof tellOld>>;

  async function mask({ space, runtimeSessionId }: Pick<Told, 'space' | 'runtimeSessionId'>): Promise<number> {
    const key = { accountId: space.accountId, sessionId: runtimeSessionId };
    const deps = { db: suite().admin.db, broker: { publishHint: () => undefined } };
    let all = 0;
    for (let masked = 1; masked > 0; all += masked)
      masked = await transact(deps, (trx) => maskLeftoverChunks(trx, key));
    return all;
  }
  async function expectRenewed({ space, changed, same }: Told) {
    expect((await suite().nearest(space, vector)).map(({ chunkId }) => chunkId)).toEqual([same.chunkId]);
    expect(await listTasks(space.accountId)).toEqual([{ chunk_id: changed.chunkId, state: 'waiting' }]);
  }

  it('loses the vector of its previous text and is embedded again; a chunk with unchanged text keeps its vector', async () => {
    const told = await tellOld();
    expect(await mask(told)).toBe(2);
    await expectRenewed(told);
  });

  it('also loses its vector from a table of the account', async () => {
    const told = await tellOld();
    await makeSegment(suite().indexer.db, told.space.id);
    const [{ segment = null } = { segment: null }] = await listSpaces(suite().indexer.db, told.space.accountId);
    const moving = { id: told.space.id, segment: String(segment), limit: 10 };
    expect(await moveVectors(suite().indexer.db, moving)).toMatchObject({ moved: 2 });
    await mask(told);
    await expectRenewed(told);
  });

  it('is queued for embedding again if it is part of a call', async () => {
    const told = await tellOld();
    await suite().query(
      `insert into search.embedding_task (account_id, chunk_id, state, call_id, attempts) values ($1, $2, 'called', $3, 2)`,
      [told.space.accountId, told.changed.chunkId, newId()],
    );
    await mask(told);
    await expectRenewed(told);
  });

  /**
   * Stores an embedding call that is still running with the previous texts of these chunks; returns a function that
   * stores its response.
   */
  async function startCall({ space }: Pick<Told, 'space'>, texts: readonly { chunkId: string; text: string }[]) {
    const { accountId, provider, baseUrl, modelIdentifier } = space;
    const setting = { ...space, provider: 'generic_compatible' as const, scope: 'full' as const };
    const [callId, day] = [newId(), '2026-11-20'];
    await suite().query(
      `insert into search.embedding_setting (account_id, is_enabled, scope, provider, model_identifier, base_url, updated_at)
       values ($1, true, 'full', $2, $3, $4, now())`,
      [accountId, provider, modelIdentifier, baseUrl],
    );
    await suite().query('insert into search.embedding_spend (account_id, day) values ($1, $2)', [accountId, day]);
    await suite().query(`insert into search.embedding_call values ($1, $2, $3, 0, 'infinity')`, [
      callId,
      accountId,
      day,
    ]);
    await suite().query(
      `insert into search.embedding_task (account_id, chunk_id, state, call_id) select $1, unnest($2::uuid[]), 'called', $3`,
      [accountId, texts.map(({ chunkId }) => chunkId), callId],
    );
    const batch = {
      ...{ callId, accountId, baseUrl, modelIdentifier, day, texts, provider: setting.provider },
      ...{ walkFor: describeWalk(setting), apiKeySealed: null, spaceId: space.id, claimedAt: new Date() },
      ...{ bytes: 45, tokens: 10, pricePerMtok: 1, reservedUsd: 0, tokensPerByte: 0.25 },
      ...{ isAlone: false, isDegraded: false },
    };
    return async () => {
      const answer = { vectors: texts.map(() => vector), promptTokens: 10 };
      const [outcome] = await storeBatches(suite().indexer.db, [{ batch, answer }]);
      return outcome;
    };
  }

  it('does not get the vector of its previous text from a running call', async () => {
    const told = await tellOld();
    const store = await startCall(told, [{ chunkId: told.changed.chunkId, text: `left ${credential}` }]);
    await mask(told);
    await store();
    await expectRenewed(told);
  });

  it('does not block concurrent writes of vectors in a session of many chunks', async () => {
    const space = await suite().makeSpace(newId(), 3);
    const runtimeSessionId = newId();
    // The session gets more chunks than one batch of masking, each with a credential that the older rules did not
    // detect.
    for (let source = 0; source < 5; source += 1)
      await suite().write(space.accountId, 'x'.repeat(70_000), { runtimeSessionId });
    await suite().query(`alter table search.chunk disable trigger user`);
    await suite().query(`update search.chunk set mask_version = 1, content = 'left ' || $2 where account_id = $1`, [
      space.accountId,
      credential,
    ]);
    await suite().query(`alter table search.chunk enable trigger user`);
    const chunks = await suite().query<{ id: string }>('select id from search.chunk where account_id = $1', [
      space.accountId,
    ]);
    expect(chunks.length).toBeGreaterThan(201);
    const store = await startCall(
      { space },
      chunks.map(({ id }) => ({ chunkId: id, text: `left ${credential}` })),
    );
    // While this lock is held, masking waits before its second batch.
    await suite().query(`
      create function wait_once() returns trigger language plpgsql as $$ begin
        if exists (select from search.chunk where runtime_session_id = '${runtimeSessionId}' and mask_version > 1)
        then perform pg_advisory_xact_lock(7); end if;
        return null;
      end $$;
      create trigger wait_once before update on search.chunk for each statement execute function wait_once()`);
    const listWaiters = () =>
      suite().query(`select pid from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`);
    const gate = await suite().admin.pool.connect();
    try {
      await gate.query('begin; select pg_advisory_xact_lock(7)');
      const masking = mask({ space, runtimeSessionId });
      await eventually(async () => (await listWaiters()).length === 1);
      let isStored = false;
      const storing = store().finally(() => (isStored = true));
      await eventually(async () => isStored || (await listWaiters()).length === 2);
      await gate.query('commit');
      const outcomes = await Promise.allSettled([masking, storing]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    } finally {
      gate.release();
      await suite().query('drop trigger wait_once on search.chunk');
    }
    expect(await suite().nearest(space, vector)).toEqual([]);
    expect(await listTasks(space.accountId)).toHaveLength(chunks.length);
  });
});
