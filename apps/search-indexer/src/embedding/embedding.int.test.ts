import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();
const { indexer } = tests;

/** Returns an id that a row created at this time would have. */
function makeIdOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
}

describe('the corpus of an account that enabled embedding (EMB-10)', () => {
  it('is embedded completely, each text once, in batches', async () => {
    const texts = makeTexts(95);
    const accountId = await tests.addAccount(texts);
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 95);
    expect(tests.provider.listInputs().sort()).toEqual(texts);
    expect(tests.provider.calls).toHaveLength(10);
    const { corpus, dimensions, spentTodayUsd, setting } = await tests.read(accountId);
    expect(corpus).toMatchObject({ chunks: 95, eligible: 95, embedded: 95, pending: 0, failed: 0, otherModel: 0 });
    expect([dimensions, setting.degradedReason]).toEqual([8, null]);
    expect(spentTodayUsd).toBeCloseTo(0.00095, 12);
    // The ledger has an entry for each call (EMB-14).
    const noted = { source: 'provider', model: 'model-a' };
    expect(await tests.readNoted(accountId)).toEqual([
      { ...noted, tokens: 50, usd: 0.00005 },
      ...Array.from({ length: 9 }, () => ({ ...noted, tokens: 100, usd: 0.0001 })),
    ]);
  });

  it('excludes content that was not captured, and with summaries_only includes only titles and summaries', async () => {
    const accountId = await tests.addAccount(makeTexts(5), { scope: 'summaries_only' });
    await indexer.insertTexts(accountId, ['a summary', 'another'], { sourceKind: 'session_summary' });
    await indexer.insertTexts(accountId, ['no content'], {
      sourceKind: 'session_summary',
      redactionState: 'metadata_only',
    });
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 2);
    expect((await tests.read(accountId)).corpus).toMatchObject({ chunks: 8, eligible: 2, pending: 0 });
    expect(tests.provider.listInputs()).toEqual(['a summary', 'another']);
    await tests.save(accountId, { scope: 'full' });
    await tests.untilEmbedded(accountId, 7);
    expect(tests.provider.listInputs().sort()).toEqual(['a summary', 'another', ...makeTexts(5)].sort());
    await tests.save(accountId, { scope: 'summaries_only' });
    expect((await tests.read(accountId)).corpus).toMatchObject({ eligible: 2, embedded: 2, pending: 0 });
  });

  it('with a narrower scope sends nothing else, even if it is embedded again (EMB-12)', async () => {
    const accountId = await tests.addAccount(['content']);
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 1);
    await tests.save(accountId, { scope: 'summaries_only' });
    const addSummary = (text: string) => indexer.insertTexts(accountId, [text], { sourceKind: 'session_summary' });
    await addSummary('a summary');
    await tests.untilEmbedded(accountId, 1);
    await tests.query(
      `update search.chunk set content = 'other content' where account_id = $1 and content = 'content'`,
      [accountId],
    );
    await addSummary('another');
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 2);
    await eventually(
      async () =>
        (await tests.query('select from search.embedding_task where account_id = $1', [accountId])).length === 0,
    );
    expect(tests.provider.listInputs()).toEqual(['content', 'a summary', 'another']);
  });

  it('grows with new content: immediately if there is a message, and otherwise at the next poll', async () => {
    const accountId = await tests.addAccount(['first']);
    await tests.startIndexer({ SESSION_EMBEDDING_RECONCILE_SECONDS: '3600' });
    await tests.untilEmbedded(accountId, 1);
    // A message that arrives during a claim has no effect.
    await tests.untilAtRest(accountId);
    await indexer.insertTexts(accountId, ['told']);
    await indexer.announce(indexer.describeChunk({ account_id: accountId }));
    await tests.untilEmbedded(accountId, 2);
    await indexer.insertTexts(accountId, ['not told']);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 3);
  });

  it.each([
    ['late', 0],
    ['after an hour', 60],
  ])('includes content that was committed %s, after later content had been embedded', async (_when, minutes) => {
    const accountId = await tests.addAccount(['before']);
    const client = await indexer.admin().pool.connect();
    try {
      await client.query('begin');
      const late = makeIdOf(Date.now() - minutes * 60_000);
      await client.query(
        `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
           indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
         values ($1, $2::uuid, $2::uuid, 'tool_call', $2::uuid::text, 0, 1, now(), now(), 'late', '\\x00', 'clear', 0, 5, false)`,
        [accountId, late],
      );
      await indexer.insertTexts(accountId, ['after']);
      await tests.startIndexer({ SESSION_EMBEDDING_RECONCILE_SECONDS: '3600' });
      await tests.untilEmbedded(accountId, 2);
      await client.query('commit');
    } finally {
      client.release();
    }
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 3);
    expect(tests.provider.listInputs().sort()).toEqual(['after', 'before', 'late']);
  });

  it('is embedded once, whatever the number of processes', async () => {
    const accounts = await Promise.all([
      tests.addAccount(makeTexts(120, 'one')),
      tests.addAccount(makeTexts(80, 'two')),
    ]);
    await Promise.all([tests.startIndexer(), tests.startIndexer(), tests.startIndexer()]);
    await tests.untilEmbedded(accounts[0], 120);
    await tests.untilEmbedded(accounts[1], 80);
    expect(tests.provider.listInputs().sort()).toEqual([...makeTexts(120, 'one'), ...makeTexts(80, 'two')]);
  });

  it('is sent to its provider with the account’s key, which is used for no other account', async () => {
    const [keyed, open] = [
      await tests.addAccount(['of the keyed'], { apiKey: 'key-of-the-account' }),
      await tests.addAccount(['of the open']),
    ];
    await tests.startIndexer();
    await Promise.all([keyed, open].map((accountId) => tests.untilEmbedded(accountId, 1)));
    const sent = new Map(tests.provider.calls.map(({ input, authorization }) => [input[0], authorization]));
    expect(Object.fromEntries(sent)).toEqual({
      'of the keyed': 'Bearer key-of-the-account',
      'of the open': undefined,
    });
  });
});

describe('an account with a slow provider (EMB-11)', () => {
  it('uses at most half of the slots while other accounts are waiting, which are embedded at the same time', async () => {
    const [slow, other] = [
      await tests.addAccount(['first']),
      await tests.addAccount(['first'], { modelIdentifier: 'model-b' }),
    ];
    const app = await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '4' });
    for (const accountId of [slow, other]) await tests.untilEmbedded(accountId, 1);
    await indexer.stop(app);
    await indexer.insertTexts(slow, makeTexts(200, 'slow'));
    await indexer.insertTexts(other, makeTexts(200, 'other'));
    // Makes the indexer serve this account first.
    await tests.query(`update search.embedding_work set served_at = '-infinity' where account_id = $1`, [slow]);
    await tests.letTimePass();
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    let underWay = 0;
    tests.provider.respondWith(async (call, response) => {
      if (call.model === 'model-a') {
        underWay += 1;
        await promise;
      }
      tests.provider.answer(call, response);
    });
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '4' });
    await eventually(() => underWay === 2);
    await tests.untilEmbedded(other, 201);
    // No other account has work now.
    await eventually(() => underWay === 4);
    letGo();
    await tests.untilEmbedded(slow, 201);
  });
});

describe('a chunk that is deleted', () => {
  it('before its turn is not sent; if it is deleted later, its vector is deleted with it', async () => {
    const accountId = await tests.addAccount(['stays', 'goes', 'went']);
    await indexer
      .admin()
      .pool.query(`delete from search.chunk where account_id = $1 and content = 'went'`, [accountId]);
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 2);
    await indexer
      .admin()
      .pool.query(`delete from search.chunk where account_id = $1 and content = 'goes'`, [accountId]);
    expect((await tests.read(accountId)).corpus).toMatchObject({ chunks: 1, embedded: 1, pending: 0 });
    expect(tests.provider.listInputs()).toEqual(['stays', 'goes']);
  });
});

describe('a changed setting (EMB-12)', () => {
  it('to another model embeds everything again, and then the previous vectors are deleted', async () => {
    const accountId = await tests.addAccount(makeTexts(30));
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, 30);
    tests.provider.respondWith((call, response) => void response.writeHead(503).end(call.model));
    await tests.save(accountId, { modelIdentifier: 'model-b' });
    await eventually(() => tests.provider.calls.some(({ model }) => model === 'model-b'));
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 0, pending: 30, otherModel: 30 });
    tests.provider.respondWith(undefined);
    await tests.letTimePass();
    await tests.untilEmbedded(accountId, 30);
    expect((await tests.read(accountId)).corpus.otherModel).toBe(0);
    await eventually(async () => {
      const spaces = await tests.query(
        'select model_identifier from search.vector_space where account_id = $1 and retired_at is null',
        [accountId],
      );
      expect(spaces).toEqual([{ model_identifier: 'model-b' }]);
      return true;
    });
  });

  it('during a call discards and charges the response, which is replaced by that of the other model', async () => {
    const accountId = await tests.addAccount(['a text']);
    let release = (): void => undefined;
    tests.provider.respondWith(async (call, response) => {
      await new Promise<void>((resolve) => (release = resolve));
      tests.provider.answer(call, response);
    });
    await tests.startIndexer();
    await tests.provider.receiver.waitForRequests(1);
    tests.provider.respondWith(undefined);
    await tests.save(accountId, { modelIdentifier: 'model-b' });
    release();
    await tests.untilEmbedded(accountId, 1);
    expect(tests.provider.calls.map(({ model }) => model)).toEqual(['model-a', 'model-b']);
    await eventually(async () => {
      const { corpus, spentTodayUsd } = await tests.read(accountId);
      expect([corpus.otherModel, spentTodayUsd]).toEqual([0, 0.00002]);
      return true;
    });
  });

  it('to off stops all sending; when it is on again, embedding resumes from there', async () => {
    const accountId = await tests.addAccount(['first']);
    const app = await tests.startIndexer();
    await tests.untilEmbedded(accountId, 1);
    await tests.save(accountId, { isEnabled: false });
    await indexer.insertTexts(accountId, ['second']);
    await indexer.announce(indexer.describeChunk({ account_id: accountId }));
    await indexer.untilSeen([app], 1);
    const other = await tests.addAccount(['of somebody else']);
    await tests.untilEmbedded(other, 1);
    expect(tests.provider.listInputs()).toEqual(['first', 'of somebody else']);
    await tests.save(accountId, { isEnabled: true });
    await tests.untilEmbedded(accountId, 2);
    expect(tests.provider.listInputs()).toEqual(['first', 'of somebody else', 'second']);
  });
});

describe('a batch that was claimed in advance', () => {
  const countClaimed = async (): Promise<number> => (await tests.query('select from search.embedding_call')).length;

  /** Saves the setting while two calls are in progress, and two batches wait for their slots. */
  async function saveWithTwoAhead(patch: Parameters<typeof tests.save>[1]): Promise<string> {
    const first = tests.provider.hold();
    const accountId = await tests.addAccount(makeTexts(200), { apiKey: 'former-key', dailyCapUsd: 1 });
    await tests.startIndexer({ SESSION_EMBEDDING_CONCURRENCY: '2' });
    await eventually(() => first.count === 1);
    const held = tests.provider.hold();
    first.letGo();
    await eventually(async () => held.count === 2 && (await countClaimed()) === 4);
    await tests.save(accountId, patch);
    held.letGo();
    return accountId;
  }

  it.each([
    ['disabled', { isEnabled: false }],
    ['given a cap of zero', { dailyCapUsd: 0 }],
  ])('is not sent for an account that was %s in the meantime', async (_what, patch) => {
    const accountId = await saveWithTwoAhead(patch);
    await eventually(async () => (await countClaimed()) === 0);
    expect(tests.provider.calls).toHaveLength(3);
    expect(
      await tests.query('select reserved_usd from search.embedding_spend where account_id = $1', [accountId]),
    ).toEqual([{ reserved_usd: 0 }]);
  });

  it('is sent with the current key', async () => {
    const accountId = await saveWithTwoAhead({ apiKey: 'present-key' });
    await tests.untilEmbedded(accountId, 200);
    const withFormerKey = tests.provider.calls.filter(({ authorization }) => authorization === 'Bearer former-key');
    expect(withFormerKey).toHaveLength(3);
  });
});

describe('a deployment with embedding disabled (EMB-19)', () => {
  it('sends no text', async () => {
    await tests.addAccount(['a text']);
    const app = await tests.startIndexer({ SESSION_EMBEDDING_ENABLED: 'false' });
    await indexer.announce();
    await indexer.untilSeen([app], 1);
    const health = (await (await indexer.fetchFrom(app, '/api/v1/health')).json()) as { activity: object };
    expect([health.activity, tests.provider.calls]).toMatchObject([{ embedding: 'disabled' }, []]);
  });
});
