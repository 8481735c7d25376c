import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();
const readReserved = async (accountId: string) =>
  (
    await tests.query<{ reserved: number; spent: number }>(
      'select reserved_usd::float8 as reserved, spent_usd::float8 as spent from search.embedding_spend where account_id = $1',
      [accountId],
    )
  )[0];

describe('an indexer that dies (EMB-15)', () => {
  it('in the middle of a call loses no chunk; its reservation is spent once its lease is over', async () => {
    // Never answered: whoever calls first is killed waiting.
    tests.provider.respondWith(() => undefined);
    const accountId = await tests.addAccount(makeTexts(30));
    const killed = await tests.startProcess();
    await tests.provider.receiver.waitForRequests(1);
    await killed.kill();
    const before = await readReserved(accountId);
    expect(before).toMatchObject({ spent: 0 });
    expect(before?.reserved).toBeGreaterThan(0);
    expect((await tests.read(accountId)).spentTodayUsd).toBe(before?.reserved);
    tests.provider.respondWith(undefined);
    await tests.startIndexer();
    expect(await tests.countEmbedded(accountId)).toBe(0);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 30);
    const after = await eventually(async () => {
      const spend = await readReserved(accountId);
      return spend?.reserved === 0 ? spend : undefined;
    });
    // Three batches that were answered, and the one that may have been.
    expect(after.spent).toBeCloseTo(0.0003 + (before?.reserved ?? 0), 10);
    expect(await tests.query('select from search.embedding_call')).toEqual([]);
  });

  it('again and again beside others loses and repeats nothing but what it had under way', async () => {
    tests.provider.respondWith((call, response) => void setTimeout(() => tests.provider.answer(call, response), 30));
    const accountId = await tests.addAccount(makeTexts(200), { dailyCapUsd: 10 });
    await tests.startIndexer();
    for (let round = 0; round < 2; round += 1) {
      const child = await tests.startProcess();
      const count = tests.provider.calls.length;
      await tests.indexer.insertTexts(accountId, makeTexts(200, `round ${round}`));
      await tests.letTimePass();
      await eventually(() => tests.provider.calls.length > count + 3);
      await child.kill();
    }
    await eventually(
      async () => {
        await tests.letTimePass();
        return (await tests.countEmbedded(accountId)) === 600;
      },
      { timeoutMs: 30_000, intervalMs: 500 },
    );
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 600, pending: 0, failed: 0 });
    expect(new Set(tests.provider.listInputs()).size).toBe(600);
  });
});

describe('an indexer that is told to stop (EMB-15)', () => {
  it('ends its calls, gives back what it has not sent, and leaves no reservation', async () => {
    tests.provider.respondWith((call, response) => void setTimeout(() => tests.provider.answer(call, response), 200));
    const accountId = await tests.addAccount(makeTexts(200));
    const app = await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '2' });
    await eventually(() => tests.provider.calls.length > 4);
    await tests.indexer.stop(app);
    const called = tests.provider.calls.length;
    expect(await tests.countEmbedded(accountId)).toBe(called * 10);
    expect((await readReserved(accountId))?.reserved).toBe(0);
    const open = await tests.query(`select from search.embedding_task where state = 'called'`);
    expect(open).toEqual([]);
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 200);
    expect(tests.provider.listInputs()).toHaveLength(200);
  });
});

describe('a database whose connections are cut', () => {
  it('in the middle of the work costs no chunk', async () => {
    tests.provider.respondWith((call, response) => void setTimeout(() => tests.provider.answer(call, response), 20));
    const accountId = await tests.addAccount(makeTexts(300), { dailyCapUsd: 10 });
    await tests.startIndexer();
    for (let round = 1; round <= 3; round += 1) {
      await eventually(() => tests.provider.calls.length > round * 5);
      await tests.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'steward-search-indexer'`,
      );
    }
    await eventually(
      async () => {
        await tests.letTimePass();
        return (await tests.countEmbedded(accountId)) === 300;
      },
      { timeoutMs: 30_000, intervalMs: 500 },
    );
  });
});
