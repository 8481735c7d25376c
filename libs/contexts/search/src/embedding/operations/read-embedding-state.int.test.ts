import { useOpened } from '@steward/testing';
import { openSemantic } from '../../testing/open-semantic.ts';
import { readEmbeddingState } from './read-embedding-state.ts';

describe('the embedding progress of a corpus (EMB-20)', () => {
  const suite = useOpened(openSemantic);

  it('counts chunks that wait for the current model as embedded by another model, but does not count refused ones', async () => {
    const { accountId } = await suite().openAccount(['a car', 'a bicycle', 'a physician']);
    await suite().enable(accountId, { scope: 'full', modelIdentifier: 'another-model' });
    const read = async () => (await readEmbeddingState(suite().database.db, { accountId, now: new Date() })).corpus;
    expect(await read()).toMatchObject({ eligible: 3, embedded: 0, pending: 3, otherModel: 3 });
    await suite().query(
      `insert into search.embedding_task (account_id, chunk_id, state)
       select account_id, id, 'failed' from search.chunk where account_id = $1 limit 1`,
      [accountId],
    );
    expect(await read()).toMatchObject({ pending: 2, failed: 1, otherModel: 2 });
    await suite().embedAll(accountId, { model: 'another-model' });
    expect(await read()).toMatchObject({ embedded: 3, pending: 0, otherModel: 0 });
  });
});
