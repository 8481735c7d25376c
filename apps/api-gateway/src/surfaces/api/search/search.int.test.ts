import fc from 'fast-check';
import pg from 'pg';
import { eventually } from '@steward/testing';
import { openSession, say, SEARCH, search } from '../../../testing/search-calls.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

/** Retries after a 503, as a client does. */
const untilServed = (call: () => ReturnType<TestGateway['call']>): ReturnType<TestGateway['call']> =>
  eventually(
    async () => {
      const answer = await call();
      return answer.status !== 503 && answer;
    },
    { intervalMs: 1000 },
  );

/** Runs `work` while the corpus does not respond; `countWaiting` returns how many searches currently wait for it. */
async function whileStuck(
  gateway: TestGateway,
  work: (countWaiting: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const connectionString = gateway.database.url;
  // Uses two connections: inside a transaction, `pg_stat_activity` would stay as it was first read.
  const [holder, observer] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  try {
    await Promise.all([holder.connect(), observer.connect()]);
    await holder.query('begin; lock table search.chunk in access exclusive mode');
    await work(async () => {
      const found = await observer.query<{ count: string }>(
        `select count(*) as count from pg_stat_activity where datname = current_database()
         and application_name = 'steward-api-gateway-search' and wait_event_type = 'Lock'`,
      );
      return Number(found.rows[0]?.count);
    });
    await holder.query('rollback');
  } finally {
    await Promise.all([holder.end(), observer.end()]);
  }
}

describe('session search over HTTP', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway({ SESSION_SEARCH_TIMEOUT_MS: '60000' });
    account = await gateway.registerAccount();
    stranger = await gateway.registerAccount();
  });
  afterAll(() => gateway.close());

  it('finds the words of each of 500 simultaneous writers immediately after the 201 response', async () => {
    const sessionId = await openSession(gateway, account);
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, async (_value, index) => {
        const word = `zq${index}unique`;
        const written = await untilServed(() => say(gateway, account, sessionId, `a message with ${word} inside`));
        const answer = await untilServed(() => search(gateway, account, { query: word }));
        return written.status === 201 && answer.body.results[0]?.snippets[0]?.text.includes(`<mark>${word}</mark>`);
      }),
    );
    expect(outcomes.filter((found) => found !== true)).toEqual([]);
  });

  it('explains a score as the sum of its parts', async () => {
    const sessionId = await openSession(gateway, account, { title: 'falcon landing report' });
    for (const text of [
      'the falcon landing failed',
      'falcon falcon landing',
      'landing gear of the falcon',
      'weather',
    ]) {
      await say(gateway, account, sessionId, text);
    }
    const { body } = await search(gateway, account, {
      query: 'falcon landing',
      explain: true,
      max_snippets_per_session: 1,
    });
    const [item] = body.results;
    expect(item.snippets).toHaveLength(1);
    expect(item.explain.terms.map((each: { term: string }) => each.term)).toEqual(['falcon', 'landing']);
    const sum = item.explain.chunks.reduce(
      (total: number, chunk: { weight: number; title_bonus: number; terms: { contribution: number }[] }) =>
        total + chunk.weight * (chunk.title_bonus + chunk.terms.reduce((part, term) => part + term.contribution, 0)),
      0,
    );
    expect(sum).toBeCloseTo(item.score, 4);
    const plain = await search(gateway, account, { query: 'falcon landing' });
    expect(plain.body.results[0].explain).toBeUndefined();
  });

  it('masks credentials before they can be searched, and leaves the source unchanged (MASK-1, MASK-2, SRCH-17)', async () => {
    const sessionId = await openSession(gateway, account);
    const secret = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123'].join('_');
    await say(gateway, account, sessionId, `deploytoken export GH_TOKEN=${secret}`);
    const { body } = await search(gateway, account, { query: 'deploytoken' });
    expect(body.results[0].snippets[0].text).toContain('[redacted]');
    expect((await search(gateway, account, { query: secret })).body.total).toBe(0);
    const timeline = await gateway.call('GET', `/api/v1/runtime-sessions/${sessionId}/timeline`, {
      token: account.accessToken,
    });
    expect(JSON.stringify(timeline.body)).toContain(secret);
  });

  it('never returns rows of another account, regardless of the query (SRCH-8)', async () => {
    const foreign = await openSession(gateway, stranger, {
      title: 'strangers secret plan',
      session_reference: 'REF-77',
    });
    await say(gateway, stranger, foreign, 'platypus');
    for (const query of ['platypus', '"secret plan"', 'REF-77', foreign, 'platypus or plan']) {
      expect((await search(gateway, account, { query })).body).toMatchObject({ total: 0, results: [] });
    }
    const filtered = await search(gateway, account, { query: 'platypus', filters: { session_id: foreign } });
    expect(filtered.body.total).toBe(0);
  });

  it('stores and searches any Unicode text without errors', async () => {
    const sessionId = await openSession(gateway, account);
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        // JSON escapes carry NUL and lone surrogates to the server unchanged.
        const written = await say(gateway, account, sessionId, content);
        expect([201, 422]).toContain(written.status);
        const answer = await search(gateway, account, { query: content.slice(0, 400) || 'x' });
        expect([200, 422]).toContain(answer.status);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a megabyte of one word', 'x'.repeat(1_000_000)],
    ['a hundred thousand words', 'lorem ipsum dolor '.repeat(34_000)],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(2000)],
    ['right-to-left text', 'مرحبا بالعالم '.repeat(500)],
    ['tsquery operators', "a & b | !c <-> d:* ( ' ) ".repeat(100)],
  ])('stores %s, and finds its beginning', async (_what, content) => {
    const sessionId = await openSession(gateway, account);
    const word = `mark${sessionId.replaceAll('-', '')}er`;
    expect((await say(gateway, account, sessionId, `${word} ${content}`)).status).toBe(201);
    expect((await search(gateway, account, { query: word })).body.total).toBe(1);
  });

  it('records each call, successful or refused, with the hash of the query and never its text (SRCH-30)', async () => {
    await search(gateway, account, { query: '  Auditable   Words ' });
    await search(gateway, account, { query: '-nothing' });
    const log = await gateway.call('GET', '/api/v1/audit-log?action=query&limit=2', { token: account.accessToken });
    expect(log.body.items.map((row: { status: string }) => row.status)).toEqual(['failure', 'success']);
    expect(log.body.items[1].details.query_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(log.body).toLowerCase()).not.toContain('auditable');
  });

  it('cancels the database query when the client disconnects, and serves the next search', async () => {
    await whileStuck(gateway, async (countWaiting) => {
      const controller = new AbortController();
      const request = fetch(`${gateway.url}${SEARCH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'anything' }),
        signal: controller.signal,
      }).catch(() => 'gone');
      await eventually(async () => (await countWaiting()) > 0);
      controller.abort();
      expect(await request).toBe('gone');
      await eventually(async () => (await countWaiting()) === 0);
    });
    expect((await search(gateway, account, { query: 'anything' })).status).toBe(200);
  });
});

describe('a search that exceeds its time limit', () => {
  it('returns 503 search_timeout and frees its slot', async () => {
    const gateway = await startTestGateway({ SESSION_SEARCH_TIMEOUT_MS: '500', SESSION_SEARCH_MAX_CONCURRENT: '1' });
    try {
      const account = await gateway.registerAccount();
      const ask = () => search(gateway, account, { query: 'anything' });
      await whileStuck(gateway, async (countWaiting) => {
        // The time limit of a search may expire before it waits, or before the test notices that it waits; another
        // search is then started.
        const refused = await eventually(async () => {
          const looks = new AbortController();
          const answer = ask().finally(() => looks.abort());
          let hasWaited = false;
          while (!looks.signal.aborted && !hasWaited) hasWaited = (await countWaiting()) > 0;
          const refusal = await answer;
          return hasWaited && refusal;
        });
        expect([refused.status, refused.body.detail.code]).toEqual([503, 'search_timeout']);
        expect(refused.headers.get('retry-after')).not.toBeNull();
        // The lock is still held, so the waiting search was cancelled.
        await eventually(async () => (await countWaiting()) === 0);
      });
      // If the only slot were still taken, no search would ever be served.
      expect((await untilServed(ask)).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});
