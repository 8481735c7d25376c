import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();
const BATCH_SIZE = 10;
const OF_INDEXERS = `from pg_stat_activity
  where datname = current_database() and application_name = 'steward-search-indexer'`;
/** Waits until the processes are disconnected, so that none of their transactions can still commit. */
const untilNobodyIsConnected = () =>
  eventually(async () => (await tests.query(`select pid ${OF_INDEXERS}`)).length === 0);
const countClaimed = async (): Promise<number> => (await tests.query('select from search.embedding_call')).length;
const isRepeated = (inputs: readonly string[]): boolean => new Set(inputs).size < inputs.length;
const readReserved = async (accountId: string) =>
  (
    await tests.query<{ reserved: number; spent: number }>(
      'select reserved_usd::float8 as reserved, spent_usd::float8 as spent from search.embedding_spend where account_id = $1',
      [accountId],
    )
  )[0];

describe('an indexer that crashes (EMB-15)', () => {
  it('during a call loses no chunk; its reservation is charged once its lease has ended', async () => {
    // The provider does not respond, so that the first caller is killed while it waits.
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
    await tests.endLeases();
    await tests.untilEmbedded(accountId, 30);
    const after = await eventually(async () => {
      const spend = await readReserved(accountId);
      return spend?.reserved === 0 ? spend : undefined;
    });
    // Three batches that were answered, and one that may have been answered.
    expect(after.spent).toBeCloseTo(0.0003 + (before?.reserved ?? 0), 10);
    expect(await tests.query('select from search.embedding_call')).toEqual([]);
    const noted = await tests.readNoted(accountId);
    expect(noted.map(({ source }) => source).toSorted()).toEqual(['assumed', 'provider', 'provider', 'provider']);
    expect(noted.find(({ source }) => source === 'assumed')).toMatchObject({ usd: before?.reserved, model: 'model-a' });
  });

  it('repeatedly while others run loses nothing, and only calls in progress are repeated', async () => {
    const AT_ONCE = 2;
    const settings = { SESSION_EMBEDDING_CONCURRENCY: String(AT_ONCE) };
    const accountId = await tests.addAccount(makeTexts(50), { dailyCapUsd: 10 });
    let survivor = await tests.startIndexer(settings);
    await tests.untilEmbedded(accountId, 50);
    for (const round of [1, 2]) {
      const killed = await tests.startProcess(settings);
      const held = tests.provider.hold();
      await tests.indexer.insertTexts(accountId, makeTexts(100, `round ${round}`));
      // The count includes the calls of both processes.
      await eventually(() => held.count === 2 * AT_ONCE);
      await killed.kill();
      held.letGo();
      await tests.indexer.stop(survivor);
      await untilNobodyIsConnected();
      // The remaining claims belong to the killed process.
      await tests.endLeases();
      survivor = await tests.startIndexer(settings);
      await tests.untilEmbedded(accountId, 50 + round * 100);
    }
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 250, pending: 0, failed: 0 });
    const inputs = tests.provider.listInputs();
    expect([new Set(inputs).size, inputs.length]).toEqual([250, 250 + 2 * AT_ONCE * BATCH_SIZE]);
  });
});

describe('a response after the end of its lease (EMB-15)', () => {
  it('is stored and charged once, if no other process has claimed its texts', async () => {
    const held = tests.provider.hold();
    // The cap is enough to embed these texts once: when the lease expires, no budget is left to embed them again.
    const accountId = await tests.addAccount(makeTexts(10), { dailyCapUsd: 0.00018 });
    await tests.startIndexer();
    await eventually(() => held.count === 1);
    await tests.endLeases();
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === 'semantic_daily_cap_reached');
    held.letGo();
    await tests.untilEmbedded(accountId, 10);
    expect(await readReserved(accountId)).toEqual({ reserved: 0, spent: 0.0001 });
    expect(await tests.readNoted(accountId)).toMatchObject([{ source: 'provider', usd: 0.0001 }]);
    expect(await tests.query('select from search.embedding_task')).toEqual([]);
    expect(tests.provider.calls).toHaveLength(1);
  });

  it('is discarded if another process has claimed the texts', async () => {
    // Until the provider has reported how it counts tokens, an account has one call at a time.
    const accountId = await tests.addAccount(makeTexts(BATCH_SIZE));
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '1' });
    await tests.untilEmbedded(accountId, BATCH_SIZE);
    const held = tests.provider.hold();
    await tests.indexer.insertTexts(accountId, makeTexts(2 * BATCH_SIZE, 'later'));
    // One batch is being called and one is ready: this indexer claims nothing more of the account.
    await eventually(async () => held.count === 1 && (await countClaimed()) === 2);
    await tests.startIndexer();
    await tests.endLeases();
    await eventually(() => isRepeated(tests.provider.listInputs()));
    held.letGo();
    await tests.untilEmbedded(accountId, 3 * BATCH_SIZE);
    await eventually(async () => (await countClaimed()) === 0);
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 3 * BATCH_SIZE, pending: 0, failed: 0 });
    expect((await readReserved(accountId))?.reserved).toBe(0);
    // Three calls were stored. The two whose leases ended are charged as if they had been answered.
    const sources = (await tests.readNoted(accountId)).map(({ source }) => source);
    expect(sources.toSorted()).toEqual(['assumed', 'assumed', 'provider', 'provider', 'provider']);
  });
});

describe('an indexer that is told to stop (EMB-15)', () => {
  it('ends its calls, releases unsent batches, and leaves no reservation', async () => {
    const first = tests.provider.hold();
    const accountId = await tests.addAccount(makeTexts(200));
    const app = await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '2', SHUTDOWN_DEADLINE_SECONDS: '600' });
    await eventually(() => first.count === 1);
    const held = tests.provider.hold();
    first.letGo();
    // Two batches in progress, and two claimed in advance.
    await eventually(async () => held.count === 2 && (await countClaimed()) === 4);
    const stopping = tests.indexer.stop(app);
    await eventually(async () => (await countClaimed()) === 2);
    held.letGo();
    await stopping;
    expect(tests.provider.calls).toHaveLength(3);
    expect(await tests.countEmbedded(accountId)).toBe(30);
    expect((await readReserved(accountId))?.reserved).toBe(0);
    expect(await countClaimed()).toBe(0);
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 200);
    expect(tests.provider.listInputs()).toHaveLength(200);
  });
});

describe('a database whose connections are terminated', () => {
  it('during embedding causes no loss of chunks', async () => {
    const first = tests.provider.hold();
    const accountId = await tests.addAccount(makeTexts(300), { dailyCapUsd: 10 });
    const app = await tests.startIndexer();
    await eventually(() => first.count === 1);
    let held = tests.provider.hold();
    first.letGo();
    for (let round = 1; round <= 3; round += 1) {
      await eventually(() => held.count > 0);
      await tests.query(`select pg_terminate_backend(pid) ${OF_INDEXERS}`);
      const next = tests.provider.hold();
      held.letGo();
      held = next;
    }
    held.letGo();
    // The process writes its outcomes before it stops. A batch whose claim was not confirmed waits until its lease
    // expires.
    await tests.indexer.stop(app);
    await untilNobodyIsConnected();
    await tests.endLeases();
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 300);
  });
});
