import { newId } from '@steward/crypto';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import { WIDTH } from '../../testing/open-provider.ts';
import type { ClaimedBatch } from '../embedding-work.ts';
import { storeBatches } from './store-batch.ts';

describe('calls that are stored together', () => {
  let suite: OpenSemantic;
  let accountId: string;
  beforeAll(async () => {
    suite = await openSemantic();
  });
  beforeEach(async () => {
    accountId = newId();
    await suite.enable(accountId, { scope: 'full' });
    await suite.tell(
      accountId,
      Array.from({ length: 50 }, (_, index) => `text ${index}`),
    );
    // An account makes one call at a time until the provider has reported a token count.
    await store(await claim());
  });
  afterAll(() => suite.close());

  async function claim(): Promise<ClaimedBatch> {
    const claimed = await suite.claim(accountId);
    const [batch] = claimed.kind === 'batches' ? claimed.batches : [];
    if (batch === undefined) throw new Error(`nothing was claimed: ${claimed.kind}`);
    return batch;
  }
  const store = (...batches: readonly ClaimedBatch[]) =>
    storeBatches(
      suite.indexer.db,
      batches.map((batch) => ({ batch, answer: makeAnswer(batch) })),
    );
  const makeAnswer = ({ texts }: ClaimedBatch, width = WIDTH) => ({
    vectors: texts.map(() => new Float32Array(width).fill(1)),
    promptTokens: 7 * texts.length,
  });
  const readState = async () => {
    const [row] = await suite.query(
      `select (select count(*)::int from search.chunk_vector join search.vector_space on id = space_id where account_id = $1) as vectors,
         (select count(*)::int from search.embedding_task where account_id = $1) as tasks,
         (select count(*)::int from search.embedding_call where account_id = $1) as calls_open, calls, tokens::int,
         reserved_usd::float8 as reserved
       from search.embedding_spend where account_id = $1`,
      [accountId],
    );
    return row;
  };

  it('are stored, settled and finished in one transaction', async () => {
    const together = [await claim(), await claim(), await claim()];
    const outcomes = await store(...together);
    expect(outcomes).toMatchObject(together.map(() => ({ kind: 'stored', chunks: 10, tokens: 70 })));
    expect(await readState()).toEqual({ vectors: 40, tasks: 0, calls_open: 0, calls: 4, tokens: 280, reserved: 0 });
    const transactions = await suite.query(
      `select distinct xmin from search.chunk_vector where chunk_id = any ($1::uuid[])`,
      [together.flatMap(({ texts }) => texts.map(({ chunkId }) => chunkId))],
    );
    expect(transactions).toHaveLength(1);
  });

  it('are stored separately if the lease of one call expired and other calls have its texts', async () => {
    const [late, other] = [await claim(), await claim()];
    await suite.query('update search.embedding_call set lease_until = now() where id = $1', [late.callId]);
    // The next claim detects this and releases the texts of the expired call, which are then claimed again.
    const further = await claim();
    const again = await claim();
    expect(again.texts).toEqual(late.texts);
    expect(await store(late, other)).toMatchObject([{ kind: 'discarded', reason: 'lease_lost' }, { kind: 'stored' }]);
    expect(await readState()).toMatchObject({ vectors: 20, tasks: 20, calls_open: 2 });
    expect(await store(again, further)).toMatchObject([{ kind: 'stored' }, { kind: 'stored' }]);
    expect(await readState()).toMatchObject({ vectors: 40, tasks: 0, calls_open: 0, reserved: 0 });
  });

  it('postpone a locked text, and lose none', async () => {
    const together = [await claim(), await claim()];
    const held = together[1]?.texts[3]?.chunkId;
    const client = await suite.admin.pool.connect();
    try {
      // Works like reindexing: it changes chunks of many sessions in one transaction.
      await client.query('begin');
      await client.query('update search.chunk set indexed_at = now() where account_id = $1 and id = $2', [
        accountId,
        held,
      ]);
      expect(await store(...together)).toMatchObject([{ kind: 'stored' }, { kind: 'stored' }]);
    } finally {
      await client.query('commit');
      client.release();
    }
    expect(await readState()).toMatchObject({ vectors: 29, tasks: 1, calls_open: 0, reserved: 0 });
    await suite.query('update search.embedding_task set not_before = now() where account_id = $1', [accountId]);
    const again = await claim();
    expect(again.texts.map(({ chunkId }) => chunkId)).toEqual([held]);
    await store(again);
    expect(await readState()).toMatchObject({ vectors: 30, tasks: 0 });
  });

  it('are discarded if their account was disabled meanwhile; their texts are embedded once it is enabled again', async () => {
    const together = [await claim(), await claim()];
    await suite.disable(accountId);
    const discarded = { kind: 'discarded', reason: 'setting_changed' };
    expect(await store(...together)).toEqual([discarded, discarded]);
    expect(await readState()).toMatchObject({ vectors: 10, calls_open: 0, calls: 3, reserved: 0 });
    // The walk passed these chunks long ago, as in an old corpus.
    await suite.query('update search.embedding_work set walked_to = probed_to where account_id = $1', [accountId]);
    await suite.enable(accountId, { scope: 'full' });
    for (let left = 40; left > 0; left -= 10) await store(await claim());
    expect(await readState()).toMatchObject({ vectors: 50, tasks: 0 });
  });

  it('restart their walk as they would separately if their vectors have different dimensions', async () => {
    const [same, wider] = [await claim(), await claim()];
    const outcomes = await storeBatches(suite.indexer.db, [
      { batch: same, answer: makeAnswer(same) },
      { batch: wider, answer: makeAnswer(wider, 2 * WIDTH) },
    ]);
    expect(outcomes).toMatchObject([{ kind: 'stored' }, { kind: 'stored' }]);
    const widths = await suite.query<{ width: number }>(
      'select width from search.vector_space where account_id = $1 and retired_at is null order by width',
      [accountId],
    );
    expect(widths).toEqual([{ width: WIDTH }, { width: 2 * WIDTH }]);
  });
});
