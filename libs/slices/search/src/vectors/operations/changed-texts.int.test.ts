import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { maskLeftoverChunks } from '../../corpus/operations/mask-leftover-chunks.ts';
import { storeBatch } from '../../embedding/operations/store-batch.ts';
import { describeWalk } from '../../embedding/rules/describe-walk.ts';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { makeSegment, moveVectors } from '../store/upkeep.store.ts';
import { listSpaces } from '../store/vector-space.store.ts';

describe('a chunk that is masked anew where it stands', () => {
  let suite: OpenVectors;
  beforeAll(async () => {
    suite = await openVectors();
  });
  afterAll(() => suite.close());

  const vector = Float32Array.from([1, 0, 0]);
  const credential = `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`;
  const listTasks = (accountId: string) =>
    suite.query('select chunk_id, state from search.embedding_task where account_id = $1', [accountId]);

  /** Two chunks of one session with vectors, both of older masking rules: one with a credential they did not know. */
  async function tellOld() {
    const space = await suite.makeSpace(newId(), 3);
    const runtimeSessionId = newId();
    const changed = await suite.tell(space, vector, { runtimeSessionId });
    const same = await suite.tell(space, vector, { runtimeSessionId });
    // Setting up must not renew anything by itself.
    await suite.query(`alter table search.chunk disable trigger user`);
    await suite.query(`update search.chunk set mask_version = 1 where account_id = $1`, [space.accountId]);
    await suite.query(`update search.chunk set content = $3 where account_id = $1 and id = $2`, [
      space.accountId,
      changed.chunkId,
      `left ${credential}`,
    ]);
    await suite.query(`alter table search.chunk enable trigger user`);
    return { space, runtimeSessionId, changed, same };
  }
  type Told = Awaited<ReturnType<typeof tellOld>>;

  const mask = ({ space, runtimeSessionId }: Told) =>
    transact({ db: suite.admin.db, broker: { publishHint: () => undefined } }, (trx) =>
      maskLeftoverChunks(trx, { accountId: space.accountId, sessionId: runtimeSessionId }),
    );
  async function expectRenewed({ space, changed, same }: Told) {
    expect((await suite.nearest(space, vector)).map(({ chunkId }) => chunkId)).toEqual([same.chunkId]);
    expect(await listTasks(space.accountId)).toEqual([{ chunk_id: changed.chunkId, state: 'waiting' }]);
  }

  it('loses the vector of its former text and is embedded again; one whose text stays keeps its own', async () => {
    const told = await tellOld();
    expect(await mask(told)).toBe(2);
    await expectRenewed(told);
  });

  it('loses it from a table of the account too', async () => {
    const told = await tellOld();
    await makeSegment(suite.indexer.db, told.space.id);
    const [{ segment = null } = { segment: null }] = await listSpaces(suite.indexer.db, told.space.accountId);
    const moving = { id: told.space.id, segment: String(segment), limit: 10 };
    expect(await moveVectors(suite.indexer.db, moving)).toMatchObject({ moved: 2 });
    await mask(told);
    await expectRenewed(told);
  });

  it('waits to be embedded again when it is in a call', async () => {
    const told = await tellOld();
    await suite.query(
      `insert into search.embedding_task (account_id, chunk_id, state, call_id, attempts) values ($1, $2, 'called', $3, 2)`,
      [told.space.accountId, told.changed.chunkId, newId()],
    );
    await mask(told);
    await expectRenewed(told);
  });

  it('is not given the vector of its former text by a call that was under way', async () => {
    const told = await tellOld();
    const { accountId } = told.space;
    const setting = { ...told.space, provider: 'generic_compatible' as const, scope: 'full' as const };
    const [callId, chunkId, day, now] = [newId(), told.changed.chunkId, '2026-11-20', new Date()];
    await suite.query(
      `insert into search.embedding_setting (account_id, is_enabled, scope, provider, model_identifier, base_url, updated_at)
       values ($1, true, 'full', $2, $3, $4, now())`,
      [accountId, setting.provider, setting.modelIdentifier, setting.baseUrl],
    );
    await suite.query('insert into search.embedding_spend (account_id, day) values ($1, $2)', [accountId, day]);
    await suite.query(`insert into search.embedding_call values ($1, $2, $3, 0, 'infinity')`, [callId, accountId, day]);
    await suite.query(
      `insert into search.embedding_task (account_id, chunk_id, state, call_id) values ($1, $2, 'called', $3)`,
      [accountId, chunkId, callId],
    );
    await mask(told);
    const { provider, baseUrl, modelIdentifier } = setting;
    const batch = {
      ...{
        callId,
        accountId,
        provider,
        baseUrl,
        modelIdentifier,
        day,
        walkFor: describeWalk(setting),
        apiKeySealed: null,
      },
      texts: [{ chunkId, text: `left ${credential}` }],
      ...{
        bytes: 45,
        tokens: 10,
        pricePerMtok: 1,
        reservedUsd: 0,
        tokensPerByte: 0.25,
        isAlone: false,
        isDegraded: false,
      },
      ...{ spaceId: told.space.id, claimedAt: now },
    };
    await storeBatch(suite.indexer.db, batch, { vectors: [vector], promptTokens: 10 });
    await expectRenewed(told);
  });
});
