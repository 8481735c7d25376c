import { newId } from '@steward/crypto';
import { openVectors, type OpenVectors } from '../../testing/open-vectors.ts';
import { countMostUnmoved } from '../../vectors/rules/retrieval.ts';
import { makeSegment } from '../../vectors/store/upkeep.store.ts';
import { claimBatches } from './claim-batches.ts';

const WIDTH = 3;
const PLACES = { room: 1, share: 1, waiting: new Map(), busy: [] };

describe('a corpus whose vectors have a table of their own', () => {
  let suite: OpenVectors;
  beforeAll(async () => {
    suite = await openVectors();
  });
  afterAll(() => suite.close());

  const claim = () => {
    const settings = {
      batchSize: 10,
      leaseSeconds: 60,
      reconcileSeconds: 60,
      random: () => 0,
      readSettledTime: () => undefined,
    };
    return claimBatches(suite.indexer.db, { ...settings, prices: { default: 1 }, deploymentCapUsd: 10 }, PLACES);
  };

  it('is embedded no further while more vectors wait to be moved there than a search compares quickly (EMB-21)', async () => {
    const space = await suite.makeSpace(newId(), WIDTH);
    const { accountId } = space;
    await makeSegment(suite.indexer.db, space.id);
    await suite.write(accountId, 'some text');
    await suite.query(
      `insert into search.embedding_setting (account_id, is_enabled, scope, provider, model_identifier, base_url, updated_at)
       values ($1, true, 'full', $2, $3, $4, now())`,
      [accountId, space.provider, space.modelIdentifier, space.baseUrl],
    );
    await suite.query('insert into search.embedding_work (account_id, due_at) values ($1, now())', [accountId]);
    await suite.query(
      `insert into search.chunk_vector (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
       select $1, gen_random_uuid(), $1, now(), now(), 'tool_call', '[1,0,0]' from generate_series(1, $2::int)`,
      [space.id, countMostUnmoved(WIDTH) + 1],
    );
    expect(await claim()).toEqual({ kind: 'looked', accountId });
    expect(await suite.query('select from search.embedding_call where account_id = $1', [accountId])).toEqual([]);

    const [{ chunk_id: moved } = { chunk_id: '' }] = await suite.query<{ chunk_id: string }>(
      'select chunk_id from search.chunk_vector where space_id = $1 limit 1',
      [space.id],
    );
    await suite.query('delete from search.chunk_vector where space_id = $1 and chunk_id = $2', [space.id, moved]);
    await suite.query('update search.embedding_work set due_at = now() where account_id = $1', [accountId]);
    expect(await claim()).toMatchObject({ kind: 'batches', batches: [{ accountId, texts: [{ text: 'some text' }] }] });
  });
});
