import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();

/** Cost of ten texts of ten tokens each, at one dollar per million tokens. */
const BATCH_USD = 0.0001;
/** Returns a cap whose share for embedding covers exactly this many batches; a fiftieth is reserved for queries. */
const capWorth = (batches: number): number => Math.round(((batches * BATCH_USD) / 0.98) * 1e6 + 0.5) / 1e6;

const untilCapped = (accountId: string) =>
  eventually(async () => (await tests.read(accountId)).setting.degradedReason === 'semantic_daily_cap_reached');

describe('the spending cap of an account (EMB-14)', () => {
  it('allows exactly ten calls by two indexers if it is worth ten batches', async () => {
    const accountId = await tests.addAccount(makeTexts(400), { dailyCapUsd: capWorth(10) });
    await Promise.all([tests.startProcess(), tests.startProcess()]);
    // Reservations of pending calls may temporarily use up the cap; it is permanently reached with the tenth call.
    await tests.untilEmbedded(accountId, 100);
    await untilCapped(accountId);
    expect(tests.provider.calls).toHaveLength(10);
    const { corpus, spentTodayUsd } = await tests.read(accountId);
    expect(corpus).toMatchObject({ embedded: 100, pending: 300 });
    expect(spentTodayUsd).toBeCloseTo(10 * BATCH_USD, 10);
    // No further calls are made, even if both indexers are notified repeatedly.
    for (let round = 0; round < 3; round += 1) {
      await tests.letTimePass();
      await eventually(async () => {
        const [work] = await tests.query<{ held: boolean }>(
          'select held_until > now() as held from search.embedding_work where account_id = $1',
          [accountId],
        );
        return work?.held === true;
      });
    }
    expect(tests.provider.calls).toHaveLength(10);
  });

  it('is not exceeded even if the provider counts more tokens than estimated', async () => {
    tests.provider.respondWith((call, response) => {
      const data = call.input.map((text, index) => ({ index, embedding: [text.length, 1] }));
      response.end(JSON.stringify({ data, usage: { prompt_tokens: call.input.length * 500 } }));
    });
    const accountId = await tests.addAccount(makeTexts(400), { dailyCapUsd: capWorth(500) });
    await Promise.all([tests.startIndexer(), tests.startIndexer()]);
    await untilCapped(accountId);
    expect(tests.provider.calls.length).toBeLessThanOrEqual(10);
    expect((await tests.read(accountId)).spentTodayUsd).toBeLessThanOrEqual(capWorth(500));
  });

  it('is exceeded by at most the estimation error of one call, if texts become four times denser', async () => {
    const countTokens = (text: string): number =>
      Math.ceil(Buffer.byteLength(text) * (text.startsWith('dense') ? 1 : 0.25));
    let billed = 0;
    tests.provider.respondWith((call, response) => {
      const data = call.input.map((text, index) => ({ index, embedding: [text.length, 1] }));
      const tokens = call.input.reduce((total, text) => total + countTokens(text), 0);
      billed += tokens;
      response.end(JSON.stringify({ data, usage: { prompt_tokens: tokens } }));
    });
    // The budget left after the first texts covers nine more calls of the same cost.
    const dailyCapUsd = 0.000612;
    const capTokens = dailyCapUsd * 0.98e6;
    const accountId = await tests.addAccount(makeTexts(30, 'plain'), { dailyCapUsd });
    await Promise.all([tests.startProcess(), tests.startProcess()]);
    await tests.untilEmbedded(accountId, 30);
    await tests.indexer.insertTexts(accountId, makeTexts(400, 'dense'));
    await tests.letTimePass();
    await untilCapped(accountId);
    const [plain, dense] = ['plain number 00000', 'dense number 00000'].map((text) => 10 * countTokens(text));
    expect(billed).toBeLessThanOrEqual(capTokens + Number(dense) - Number(plain));
    // The unused part of the cap is less than the cost of a call.
    expect(billed).toBeGreaterThan(capTokens - Number(dense));
  });

  it('defaults to the cap of the deployment; when it is raised, the rest is embedded', async () => {
    const accountId = await tests.addAccount(makeTexts(50));
    await tests.startIndexer({ SESSION_EMBEDDING_DAILY_CAP_USD: String(capWorth(2)) });
    await untilCapped(accountId);
    expect(tests.provider.calls).toHaveLength(2);
    await tests.save(accountId, { dailyCapUsd: 1 });
    await tests.untilEmbedded(accountId, 50);
    expect((await tests.read(accountId)).setting.degradedReason).toBeNull();
  });

  it('allows no call if it is 0', async () => {
    const accountId = await tests.addAccount(makeTexts(5), { dailyCapUsd: 0 });
    await tests.startIndexer({ SESSION_EMBEDDING_PRICE_PER_MTOK_USD: '{"default": 0}' });
    await untilCapped(accountId);
    expect(tests.provider.calls).toEqual([]);
  });

  it('below the price of a batch is used up by smaller batches', async () => {
    const accountId = await tests.addAccount(makeTexts(50), { dailyCapUsd: capWorth(0.5) });
    await tests.startIndexer();
    await untilCapped(accountId);
    const { corpus, spentTodayUsd } = await tests.read(accountId);
    expect(corpus.embedded).toBeGreaterThan(0);
    expect(spentTodayUsd).toBeLessThanOrEqual(capWorth(0.5));
  });

  it('is used up to its last text: a batch is reduced to the amount that is left for the day', async () => {
    const accountId = await tests.addAccount(makeTexts(100), { dailyCapUsd: capWorth(3.7) });
    await Promise.all([tests.startProcess(), tests.startProcess()]);
    await tests.untilEmbedded(accountId, 37);
    await untilCapped(accountId);
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 37, pending: 63 });
    expect(tests.provider.calls.length).toBeLessThanOrEqual(6);
    await tests.save(accountId, { dailyCapUsd: 1 });
    await tests.untilEmbedded(accountId, 100);
  });

  it('does not delay the account after a refusal for an hour, if only two calls were left and both are refused (EMB-16)', async () => {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((done) => (release = done));
    tests.provider.respondWith(async (call, response, index) => {
      if (index === 0) return tests.provider.answer(call, response);
      await isReleased;
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    // The budget covers the first call and two more, for which one token per byte is assumed.
    const accountId = await tests.addAccount(makeTexts(60), { dailyCapUsd: capWorth(9) });
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '2' });
    await eventually(() => tests.provider.calls.length === 3);
    const readWork = async () => {
      const [work] = await tests.query<{ failures: number; seconds: number }>(
        `select failures, extract(epoch from held_until - now())::float8 as seconds from search.embedding_work
         where account_id = $1`,
        [accountId],
      );
      return work;
    };
    await eventually(async () => Number((await readWork())?.seconds) > 0);
    release();
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === 'semantic_provider_error');
    expect((await readWork())?.failures).toBe(1);
    expect((await readWork())?.seconds).toBeGreaterThan(3000);
    expect(tests.provider.calls).toHaveLength(3);
  });

  it('is reset each day', async () => {
    const accountId = await tests.addAccount(makeTexts(40), { dailyCapUsd: capWorth(2) });
    await tests.startIndexer();
    await untilCapped(accountId);
    expect((await tests.read(accountId)).corpus.embedded).toBe(20);
    await tests.query(`update search.embedding_spend set day = day - 1 where account_id = $1`, [accountId]);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 40);
  });
});

describe('fairness between accounts (EMB-11)', () => {
  it('allows a small account to overtake a huge backlog', async () => {
    const AT_ONCE = 4;
    const first = tests.provider.hold();
    await tests.addAccount(makeTexts(3000, 'huge'), { dailyCapUsd: 10 });
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: String(AT_ONCE) });
    await eventually(() => first.count === 1);
    const held = tests.provider.hold();
    first.letGo();
    await eventually(() => held.count === AT_ONCE);
    const small = await tests.addAccount(makeTexts(5, 'small'));
    held.letGo();
    await tests.untilEmbedded(small, 5);
    const own = tests.provider.calls.findIndex(({ input }) => input[0]?.startsWith('small') === true);
    // Before that, calls in progress, batches claimed in advance, and at most one claim that has already started are
    // completed.
    expect(own).toBeLessThanOrEqual(1 + 3 * AT_ONCE);
  });
});
