import { newId } from '@steward/crypto';
import { eventually, useOpened } from '@steward/testing';
import { sql } from 'kysely';
import { openVectors } from '../../testing/open-vectors.ts';
import { countMostUnmoved } from '../../vectors/rules/retrieval.ts';
import { makeSegment } from '../../vectors/store/upkeep.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import { claimBatches } from './claim-batches.ts';
import { storeBatches } from './store-batch.ts';

const WIDTH = 3;
const PLACES = { room: 1, share: 1, waiting: new Map(), busy: [] };

const suite = useOpened(openVectors);

const claim = () => {
  const settings = {
    batchSize: 10,
    leaseSeconds: 60,
    reconcileSeconds: 60,
    random: () => 0,
    readSettledTime: () => undefined,
  };
  return claimBatches(suite().indexer.db, { ...settings, prices: { default: 1 }, deploymentCapUsd: 10 }, PLACES);
};

async function embed(
  accountId: string,
  capUsd: number | null,
  service: Pick<VectorSpace, 'provider' | 'modelIdentifier' | 'baseUrl'>,
) {
  await suite().query(
    `insert into search.embedding_setting (account_id, is_enabled, scope, provider, model_identifier, base_url, daily_cap_usd, updated_at)
     values ($1, true, 'full', $2, $3, $4, $5, now())`,
    [accountId, service.provider, service.modelIdentifier, service.baseUrl, capUsd],
  );
  await suite().query('insert into search.embedding_work (account_id, due_at) values ($1, now())', [accountId]);
}

describe('a corpus whose vectors have a separate table', () => {
  it('is not embedded further while more vectors wait to be moved there than a search can compare quickly (EMB-21)', async () => {
    const space = await suite().makeSpace(newId(), WIDTH);
    const { accountId } = space;
    await makeSegment(suite().indexer.db, space.id);
    await suite().write(accountId, 'some text');
    await embed(accountId, null, space);
    await suite().query(
      `insert into search.chunk_vector (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
       select $1, gen_random_uuid(), $1, now(), now(), 'tool_call', '[1,0,0]' from generate_series(1, $2::int)`,
      [space.id, countMostUnmoved(WIDTH) + 1],
    );
    expect(await claim()).toEqual({ kind: 'looked', accountId });
    expect(await suite().query('select from search.embedding_call where account_id = $1', [accountId])).toEqual([]);

    const [{ chunk_id: moved } = { chunk_id: '' }] = await suite().query<{ chunk_id: string }>(
      'select chunk_id from search.chunk_vector where space_id = $1 limit 1',
      [space.id],
    );
    await suite().query('delete from search.chunk_vector where space_id = $1 and chunk_id = $2', [space.id, moved]);
    await suite().query('update search.embedding_work set due_at = now() where account_id = $1', [accountId]);
    expect(await claim()).toMatchObject({ kind: 'batches', batches: [{ accountId, texts: [{ text: 'some text' }] }] });
  });
});

describe('an account near its cap', () => {
  it('is not paused as exhausted if the call that used up the cap ends during the check (EMB-14)', async () => {
    const accountId = newId();
    // Sufficient for a text at the current ratio, but not at one token per byte.
    await embed(accountId, 0.0006, { provider: 'openai', modelIdentifier: 'model-a', baseUrl: 'http://127.0.0.1:9' });
    await suite().write(accountId, 'x'.repeat(100));
    const first = await claim();
    if (first.kind !== 'batches') throw new Error(`no batch: ${first.kind}`);
    const [batch] = first.batches;
    const answered = [{ batch: batch!, answer: { vectors: [new Float32Array([1, 0, 0])], promptTokens: 25 } }];
    await suite().write(accountId, 'y'.repeat(1000));
    await storeBatches(suite().indexer.db, answered);
    await suite().query(
      `insert into search.embedding_call (id, account_id, day, reserved_usd, lease_until, provider, model_identifier)
       values ($1, $2, $3, 0.0005, now() + interval '1 hour', 'openai', 'model-a')`,
      [newId(), accountId, batch!.day],
    );
    await suite().query('update search.embedding_spend set reserved_usd = 0.0005 where account_id = $1', [accountId]);

    const [claimed] = await suite()
      .indexer.db.transaction()
      .execute(async (trx) => {
        await sql`delete from search.embedding_call where account_id = ${accountId}`.execute(trx);
        await sql`update search.embedding_spend set reserved_usd = 0 where account_id = ${accountId}`.execute(trx);
        const claiming = claim();
        await eventually(async () => {
          const waiting = await suite().query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
        return [claiming] as const;
      });
    expect(await claimed).toMatchObject({
      kind: 'batches',
      batches: [{ accountId, texts: [{ text: 'y'.repeat(1000) }] }],
    });
  });
});
