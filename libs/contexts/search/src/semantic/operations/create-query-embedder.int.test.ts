import { newId } from '@steward/crypto';
import { readDatabaseTime } from '@steward/database';
import { eventually } from '@steward/testing';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import { createSearchService } from '../../answer/operations/create-search-service.ts';

/** Price of a million tokens in US dollars; the provider of these tests reports ten tokens for a query. */
const USD_PER_MTOK = 100;
const USD_PER_CALL = (10 * USD_PER_MTOK) / 1_000_000;
/** Price in US dollars of a query of three bytes before a provider has reported a token count. */
const USD_PER_BOUND = (19 * USD_PER_MTOK) / 1_000_000;

let suite: OpenSemantic;
beforeAll(async () => {
  suite = await openSemantic({ embeddingPrices: { default: USD_PER_MTOK }, queryTimeoutMs: 20_000 });
});
beforeEach(() => {
  suite.provider.answerAgain();
  suite.provider.asked.length = 0;
});
afterAll(() => suite.close());

const ask = (accountId: string, query: string, signal?: AbortSignal) =>
  suite.ask(accountId, { query, mode: 'hybrid' }, signal);
const open = async () => (await suite.openAccount(['automobile'])).accountId;

describe('the embedding of a query (SRCH-38)', () => {
  it('is one call with the query text, using the key of the account', async () => {
    const accountId = await open();
    const before = suite.provider.requests.length;
    await ask(accountId, '  "blue  car" or -red Bicycle ');
    expect(suite.provider.asked).toEqual([['blue car Bicycle']]);
    expect(suite.provider.requests[before]?.headers.authorization).toBe('Bearer key-of-provider');
  });

  it('is cached: the same query, its pages and its filters cost nothing', async () => {
    const accountId = await open();
    for (let time = 0; time < 3; time += 1) await ask(accountId, 'car');
    await suite.ask(accountId, { query: 'car', mode: 'semantic', filter: { role: 'user' } });
    expect(suite.provider.asked).toEqual([['car']]);
    expect(await suite.readSpend(accountId)).toEqual({ spent: USD_PER_CALL, reserved: 0 });
    expect(await suite.readNoted(accountId)).toEqual([{ source: 'provider', tokens: 10, usd: USD_PER_CALL }]);
  });

  it('is cached per account and per model', async () => {
    const [one, other] = [await open(), await open()];
    await ask(one, 'car');
    await ask(other, 'car');
    await suite.enable(one, { modelIdentifier: 'words-16-b' });
    await suite.embedAll(one, { model: 'words-16-b' });
    await ask(one, 'car');
    expect(suite.provider.asked).toEqual([['car'], ['car'], ['car']]);
  });

  it('is requested again if the model’s vectors have different dimensions', async () => {
    const accountId = await open();
    await ask(accountId, 'car');
    suite.provider.answerAgain(8);
    await suite.embedAll(accountId, { width: 8 });
    expect(await ask(accountId, 'car')).toMatchObject({ effectiveMode: 'hybrid', degraded: { reasons: [] } });
    expect(suite.provider.asked).toEqual([['car'], ['car']]);
  });

  it('is shared by equal simultaneous queries', async () => {
    const accountId = await open();
    const release = suite.provider.holdBack();
    const before = suite.provider.requests.length;
    const answers = [1, 2, 3, 4, 5].map(() => ask(accountId, 'car'));
    await eventually(() => suite.provider.requests.length > before);
    release();
    const modes = (await Promise.all(answers)).map(({ effectiveMode }) => effectiveMode);
    expect(modes).toEqual(answers.map(() => 'hybrid'));
    expect(suite.provider.requests.length).toBe(before + 1);
    expect(await suite.readSpend(accountId)).toEqual({ spent: USD_PER_CALL, reserved: 0 });
  });

  it('is not aborted by a client that disconnects, and still serves the other clients', async () => {
    const accountId = await open();
    const release = suite.provider.holdBack();
    const before = suite.provider.requests.length;
    const client = new AbortController();
    const left = ask(accountId, 'car', client.signal).catch((error: unknown) => error);
    const stays = ask(accountId, 'car');
    await eventually(() => suite.provider.requests.length > before);
    client.abort(new Error('the client left'));
    expect(await left).toMatchObject({ message: 'the client left' });
    expect(suite.audited.at(-1)).toMatchObject({ status: 'failure', details: { error_code: 'client_gone' } });
    release();
    expect((await stays).effectiveMode).toBe('hybrid');
    expect(suite.provider.requests.length).toBe(before + 1);
  });

  it('reserves its maximum cost before the call', async () => {
    const accountId = await open();
    const release = suite.provider.holdBack();
    const answer = ask(accountId, 'car');
    await eventually(async () => (await suite.readSpend(accountId)).reserved > 0);
    release();
    await answer;
    expect(await suite.readSpend(accountId)).toEqual({ spent: USD_PER_CALL, reserved: 0 });
  });

  it.each([
    [400, 0],
    [401, 0],
    [500, 0],
    // The provider responds and charges for the call, but its response is not an embedding.
    [200, USD_PER_BOUND],
  ])('with the response %s is charged %s and requested again', async (status, paid) => {
    const accountId = await open();
    suite.provider.answerWith(status);
    const before = suite.provider.requests.length;
    await ask(accountId, 'car');
    await ask(accountId, 'car');
    expect(suite.provider.requests.length).toBe(before + 2);
    expect(await suite.readSpend(accountId)).toEqual({ spent: 2 * paid, reserved: 0 });
  });

  it.each([
    ['for as long as it asks', { 'retry-after': '600' }],
    ['for a while', {}],
  ])('with the response 429 pauses the provider %s, for queries and texts alike', async (_what, headers) => {
    const accountId = await open();
    suite.provider.answerWith(429, headers);
    const before = suite.provider.requests.length;
    const askedAt = await readDatabaseTime(suite.admin.db);
    expect((await ask(accountId, 'car')).degraded.reasons).toContain('semantic_provider_error');
    const { rows } = await suite.admin.pool.query<{ held: number; left: number }>(
      `select extract(epoch from held_until - $2::timestamptz)::float8 as held,
         extract(epoch from held_until - clock_timestamp())::float8 as left
       from search.embedding_work where account_id = $1`,
      [accountId, askedAt],
    );
    const [least, most] = 'retry-after' in headers ? [600, 600] : [4, 6];
    expect(rows[0]?.held).toBeGreaterThan(least);
    expect(rows[0]?.left).toBeLessThanOrEqual(most);
    await suite.holdLonger(accountId);
    expect((await ask(accountId, 'bicycle')).degraded.reasons).toContain('semantic_provider_error');
    expect(suite.provider.requests.length).toBe(before + 1);
    expect(await suite.readSpend(accountId)).toEqual({ spent: 0, reserved: 0 });
  });

  it('that receives no response counts as charged, because the provider may have processed it', async () => {
    const accountId = await open();
    const release = suite.provider.holdBack();
    await suite.askWith({ queryTimeoutMs: 300 }, accountId, { query: 'car', mode: 'hybrid' });
    // Also waits for a call that is made after the search continued without it.
    await eventually(async () => {
      const { spent, reserved } = await suite.readSpend(accountId);
      return spent > 0 && reserved === 0;
    });
    release();
    expect(await suite.readSpend(accountId)).toEqual({ spent: USD_PER_BOUND, reserved: 0 });
  });

  it('does not exceed the cap under concurrent queries', async () => {
    const accountId = await open();
    const dailyCapUsd = 5 * USD_PER_CALL;
    await suite.enable(accountId, { dailyCapUsd });
    for (const round of ['a', 'b', 'c']) {
      await Promise.all(['one', 'two', 'three', 'four', 'five'].map((word) => ask(accountId, `${round} ${word}`)));
    }
    const { spent, reserved } = await suite.readSpend(accountId);
    expect([spent > 0, spent <= dailyCapUsd, reserved]).toEqual([true, true, 0]);
    expect((await ask(accountId, 'one more')).degraded.reasons).toContain('semantic_daily_cap_reached');
  });

  it('is not taken from the cache if the cap is reached or consent was withdrawn', async () => {
    const accountId = await open();
    expect((await ask(accountId, 'car')).effectiveMode).toBe('hybrid');
    await suite.enable(accountId, { dailyCapUsd: 0 });
    expect(await ask(accountId, 'car')).toMatchObject({
      effectiveMode: 'keyword',
      degraded: { reasons: expect.arrayContaining(['semantic_daily_cap_reached']) as unknown },
    });
    await suite.disable(accountId);
    expect((await ask(accountId, 'car')).degraded.reasons).toEqual(['semantic_not_enabled']);
  });

  it('is not made for keyword search, which does not use the semantic half', async () => {
    const accountId = await open();
    const client = await suite.admin.pool.connect();
    try {
      await client.query(
        'begin; lock table search.embedding_setting, search.embedding_spend, search.vector_space, search.embedding_work in access exclusive mode',
      );
      const service = createSearchService({ ...suite.ports, timeoutMs: 30_000 });
      const request = { query: 'automobile' };
      const call = { ...suite.buildCall(accountId, request), signal: new AbortController().signal };
      expect(await service.search(request, call)).toMatchObject({ total: 1, embeddedThrough: null });
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(suite.provider.asked).toEqual([]);
  });

  it('is not made for an unknown account', async () => {
    expect((await ask(newId(), 'car')).degraded.reasons).toEqual(['semantic_not_enabled']);
    expect(suite.provider.asked).toEqual([]);
  });
});
