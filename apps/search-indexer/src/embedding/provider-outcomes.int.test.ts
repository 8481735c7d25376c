import { systemClock } from '@steward/async';
import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();

const untilStopped = (accountId: string, reason: string) =>
  eventually(async () => (await tests.read(accountId)).setting.degradedReason === reason);
interface Hold {
  readonly failures: number;
  /** Measured from the time when the pause was written: at most the intended pause. */
  readonly seconds: number;
  /**
   * Measured from the start of its transaction: at least the intended pause, however long a busy machine took to write
   * it.
   */
  readonly secondsFromBegin: number;
}
/** Lists every pause with its original length: on a busy machine, some have ended before the test reads them. */
const listHolds = (accountId: string) =>
  tests.query<Hold>(
    'select failures, seconds, seconds_from_begin as "secondsFromBegin" from held_work where account_id = $1 order by failures',
    [accountId],
  );
beforeAll(() =>
  tests.query(`
    create table held_work (account_id uuid, failures int, seconds float8, seconds_from_begin float8);
    create function note_hold() returns trigger language plpgsql security definer as $$
    begin
      insert into public.held_work
      values (new.account_id, new.failures, extract(epoch from new.held_until - new.served_at),
        extract(epoch from new.held_until - now()));
      return null;
    end $$;
    create trigger note_hold after update on search.embedding_work
      for each row when (new.failures > old.failures and new.held_until > '-infinity') execute function note_hold()
  `),
);
const listTasks = (accountId: string) =>
  tests.query<{ state: string; attempts: number; error: string | null }>(
    'select state, attempts, error from search.embedding_task where account_id = $1 order by chunk_id',
    [accountId],
  );

describe('a provider that requests a delay (EMB-16)', () => {
  it('is not called during that time, and then embeds everything; no failure is counted for the texts', async () => {
    tests.provider.respondWith((_call, response) => void response.writeHead(429, { 'retry-after': '120' }).end());
    const accountId = await tests.addAccount(makeTexts(25));
    await tests.startIndexer();
    await untilStopped(accountId, 'semantic_provider_error');
    const [hold] = await listHolds(accountId);
    expect(hold?.secondsFromBegin).toBeGreaterThan(119);
    expect(hold?.seconds).toBeLessThanOrEqual(120);
    expect(await tests.read(accountId)).toMatchObject({ spentTodayUsd: 0, corpus: { pending: 25, failed: 0 } });
    // A message does not change that.
    await tests.indexer.announce(tests.indexer.describeChunk({ account_id: accountId }));
    const other = await tests.addAccount([]);
    tests.provider.respondWith(undefined);
    await tests.indexer.insertTexts(other, ['of somebody else']);
    await tests.untilEmbedded(other, 1);
    expect(tests.provider.calls).toHaveLength(2);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 25);
    expect(await listTasks(accountId)).toEqual([]);
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === null);
  });
});

describe('an unavailable provider (EMB-16)', () => {
  it.each<[string, (response: { destroy(): void; writeHead(status: number): { end(): void } }) => void]>([
    ['answers 500', (response) => response.writeHead(500).end()],
    ['closes the connection', (response) => response.destroy()],
  ])('that %s is called at growing intervals until it recovers', async (_what, fail) => {
    tests.provider.respondWith((_call, response) => fail(response));
    const accountId = await tests.addAccount(makeTexts(40));
    const app = await tests.startIndexer();
    for (let failures = 1; failures <= 3; failures += 1) {
      await eventually(async () => (await listHolds(accountId)).length >= failures);
      if (failures < 3) await tests.letTimePass();
    }
    await tests.indexer.stop(app);
    const holds = await listHolds(accountId);
    // Each call causes a pause, and no call is made during another one.
    expect(tests.provider.calls).toHaveLength(holds.length);
    for (const [index, { failures, seconds }] of holds.entries()) {
      expect(failures).toBe(index + 1);
      expect(seconds).toBeLessThanOrEqual(5 * 2 ** index * 1.2);
    }
    expect((await tests.read(accountId)).setting.degradedReason).toBe('semantic_provider_error');
    tests.provider.respondWith(undefined);
    await tests.letTimePass();
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 40);
    expect((await tests.read(accountId)).corpus.failed).toBe(0);
  });

  it('is charged for the work it may have done: for a missing response, but not for a 500', async () => {
    tests.provider.respondWith((_call, response) => void response.writeHead(500).end());
    const accountId = await tests.addAccount(makeTexts(10));
    const failing = await tests.startIndexer();
    await untilStopped(accountId, 'semantic_provider_error');
    await tests.indexer.stop(failing);
    expect((await tests.read(accountId)).spentTodayUsd).toBe(0);
    tests.provider.respondWith(() => undefined);
    await tests.letTimePass();
    const waiting = await tests.startIndexer({ SESSION_EMBEDDING_TIMEOUT_SECONDS: '3' });
    await eventually(async () => (await listHolds(accountId)).some(({ failures }) => failures > 1));
    await tests.indexer.stop(waiting);
    const { spentTodayUsd } = await tests.read(accountId);
    expect(spentTodayUsd).toBeGreaterThan(0);
    expect(
      await tests.query('select reserved_usd from search.embedding_spend where account_id = $1', [accountId]),
    ).toEqual([{ reserved_usd: 0 }]);
  });
});

describe('a text that its provider refuses (EMB-17)', () => {
  const POISON = 'text number 00017';

  it.each([400, 413, 422])('with %i is isolated from its batch and set aside after three attempts', async (status) => {
    tests.provider.respondWith((call, response) => {
      if (call.input.includes(POISON)) response.writeHead(status).end();
      else tests.provider.answer(call, response);
    });
    const accountId = await tests.addAccount(makeTexts(40));
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 39);
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await eventually(async () => Number((await listTasks(accountId))[0]?.attempts) >= attempts);
      if (attempts < 3) await tests.letTimePass();
    }
    expect(await listTasks(accountId)).toEqual([{ state: 'failed', attempts: 3, error: `HTTP ${status}` }]);
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 39, failed: 1, pending: 0 });
    expect((await tests.read(accountId)).setting.degradedReason).toBeNull();
    // Calls with the text: its batch of ten, then halves of the batch, then the text by itself.
    expect(tests.provider.calls.filter(({ input }) => input.includes(POISON)).length).toBeLessThanOrEqual(8);
    const embedded = tests.provider.calls.filter(({ input }) => !input.includes(POISON)).flatMap(({ input }) => input);
    expect(embedded).toHaveLength(39);
  });

  it('is retried with another model', async () => {
    tests.provider.respondWith((call, response) => {
      if (call.model === 'model-a' && call.input.includes('too much for one')) response.writeHead(400).end();
      else tests.provider.answer(call, response);
    });
    const accountId = await tests.addAccount(['too much for one', 'fine']);
    await tests.startIndexer();
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await eventually(async () => Number((await listTasks(accountId))[0]?.attempts) >= attempts);
      await tests.letTimePass();
    }
    expect((await tests.read(accountId)).corpus.failed).toBe(1);
    await tests.save(accountId, { modelIdentifier: 'model-b' });
    await tests.untilEmbedded(accountId, 2);
    expect((await tests.read(accountId)).corpus.failed).toBe(0);
  });

  it('can also be one whose vector is zero, if other texts have valid vectors', async () => {
    const accountId = await tests.addAccount(makeTexts(10));
    const app = await tests.startIndexer();
    await tests.untilEmbedded(accountId, 10);
    tests.provider.respondWith((call, response) => {
      if (!call.input.includes('nothing')) return tests.provider.answer(call, response);
      const data = call.input.map((_text, index) => ({ index, embedding: Array<number>(8).fill(0) }));
      response.writeHead(200).end(JSON.stringify({ data }));
    });
    await tests.indexer.insertTexts(accountId, ['nothing', 'something']);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 11);
    await tests.indexer.stop(app);
    expect((await tests.read(accountId)).setting.degradedReason).toBeNull();
  });
});

describe('a provider with invalid settings (EMB-18)', () => {
  it.each([
    [401, 'semantic_provider_error'],
    [402, 'semantic_provider_error'],
    [403, 'semantic_provider_error'],
    [404, 'semantic_provider_misconfigured'],
    [302, 'semantic_provider_misconfigured'],
  ] as const)('that responds with %i is called once, until the setting changes: %s', async (status, reason) => {
    tests.provider.respondWith((_call, response) => void response.writeHead(status, { location: '/elsewhere' }).end());
    const accountId = await tests.addAccount(makeTexts(40), { apiKey: 'a-wrong-key' });
    await tests.startIndexer();
    await untilStopped(accountId, reason);
    const [hold] = await listHolds(accountId);
    expect(hold?.seconds).toBeGreaterThan(800);
    expect(tests.provider.calls).toHaveLength(1);
    tests.provider.respondWith(undefined);
    await tests.save(accountId, { apiKey: 'the-right-key' });
    await tests.untilEmbedded(accountId, 40);
    expect(await tests.read(accountId)).toMatchObject({ setting: { degradedReason: null }, corpus: { failed: 0 } });
  });

  it('is called again if the refused key was replaced in the meantime', async () => {
    const { promise: isReplaced, resolve: noteReplaced } = Promise.withResolvers<void>();
    tests.provider.respondWith(async (call, response) => {
      if (call.authorization === 'Bearer the-right-key') return tests.provider.answer(call, response);
      await isReplaced;
      response.writeHead(401).end();
    });
    const accountId = await tests.addAccount(makeTexts(40), { apiKey: 'a-wrong-key' });
    await tests.startIndexer();
    await eventually(() => tests.provider.calls.length === 1);
    await tests.save(accountId, { apiKey: 'the-right-key' });
    noteReplaced();
    await tests.untilEmbedded(accountId, 40);
    expect((await tests.read(accountId)).setting.degradedReason).toBeNull();
  });

  it('is called only once if it responds without vectors', async () => {
    tests.provider.respondWith((_call, response) => void response.writeHead(200).end('{"data": []}'));
    const accountId = await tests.addAccount(makeTexts(40));
    await tests.startIndexer();
    await untilStopped(accountId, 'semantic_provider_misconfigured');
    expect(tests.provider.calls).toHaveLength(1);
  });

  it('is not called at an address that is no longer allowed', async () => {
    const accountId = await tests.addAccount(['a text']);
    await tests.startIndexer({ SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: '' });
    await untilStopped(accountId, 'semantic_provider_misconfigured');
    expect(tests.provider.calls).toEqual([]);
  });

  it('is not called without its key if the key cannot be decrypted', async () => {
    const accountId = await tests.addAccount(['a text'], { apiKey: 'sealed-under-another-key' });
    await tests.startIndexer({ EMBEDDING_SECRET_KEY: '0123456789abcdef'.repeat(4), SECRET_KEY_LOST: 'true' });
    await untilStopped(accountId, 'semantic_provider_misconfigured');
    expect(tests.provider.calls).toEqual([]);
  });
});

describe('a model without a price (EMB-13)', () => {
  it('is not called', async () => {
    const accountId = await tests.addAccount(['a text'], { modelIdentifier: 'nobody-knows' });
    await tests.startIndexer();
    await untilStopped(accountId, 'unpriced_model');
    expect([tests.provider.calls, (await tests.read(accountId)).spentTodayUsd]).toEqual([[], 0]);
  });
});

describe('a change in the dimensions of a provider’s vectors (EMB-22)', () => {
  const answerInFour: typeof tests.provider.answer = (call, response) => {
    const data = call.input.map((_text, index) => ({ index, embedding: [1, 2, 3, index + 1] }));
    response.writeHead(200).end(JSON.stringify({ data, usage: { prompt_tokens: call.input.length * 10 } }));
  };

  const { now } = systemClock;
  afterEach(() => void (systemClock.now = now));

  it.each([
    ['right', 0],
    ['an hour behind', 3_600_000],
  ])('leads to new vectors, with the clock %s: different dimensions are never mixed', async (_what, behindMs) => {
    systemClock.now = () => new Date(Date.now() - behindMs);
    const accountId = await tests.addAccount(makeTexts(20));
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 20);
    // Simulates that they are so old that no later look-back reaches them.
    await tests.query('update search.embedding_work set walked_to = probed_to where account_id = $1', [accountId]);
    tests.provider.respondWith(answerInFour);
    await tests.indexer.insertTexts(accountId, ['one more']);
    await tests.letTimePass();
    await eventually(async () => (await tests.read(accountId)).dimensions === 4);
    await tests.untilEmbedded(accountId, 21);
  });

  it('back to the previous dimensions reuses the earlier vectors; only missing ones are embedded', async () => {
    const AT_ONCE = 4;
    const accountId = await tests.addAccount(makeTexts(300), { dailyCapUsd: 10 });
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: String(AT_ONCE) });
    await tests.untilEmbedded(accountId, 300);
    const listSpaces = () =>
      tests.query('select id, width from search.vector_space where account_id = $1 and retired_at is null', [
        accountId,
      ]);
    const former = await listSpaces();
    // One response has different dimensions: the next call returns the former dimensions.
    tests.provider.respondWith((call, response) => {
      if (call.input.includes('one more')) tests.provider.respondWith(undefined);
      answerInFour(call, response);
    });
    await tests.indexer.insertTexts(accountId, ['one more']);
    await tests.letTimePass();
    await eventually(() => tests.provider.listInputs().includes('one more'));
    await eventually(async () => {
      const { dimensions, corpus } = await tests.read(accountId);
      return dimensions === 8 && corpus.embedded === 301;
    });
    expect(await listSpaces()).toEqual(former);
    // The limit includes batches that were claimed before the first of these responses was written, and missing texts.
    expect(tests.provider.listInputs().length).toBeLessThanOrEqual(301 + 4 * AT_ONCE * 10 + 1);
  });
});
