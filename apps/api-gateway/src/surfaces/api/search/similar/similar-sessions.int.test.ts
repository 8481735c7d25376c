import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { findOrCreateSpace, writeVectors } from '@steward/search';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../../testing/start-gateway.ts';

const DAY_MS = 86_400_000;
const MODEL = {
  provider: 'generic_compatible',
  base_url: 'https://models.example.com/v1',
  model_identifier: 'model-a',
};
let counter = 0;

describe('similar sessions over HTTP', () => {
  let gateway: TestGateway;
  let indexer: Database;
  beforeAll(async () => {
    gateway = await startTestGateway();
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    const url = gateway.database.urlForRole(APP_ROLES.searchIndexer);
    indexer = createDatabase({ url, applicationName: 'test', poolSize: 2, logger });
  });
  afterAll(async () => {
    await indexer.close();
    await gateway.close();
  });

  const enable = (account: TestAccount, body: object = { enabled: true, ...MODEL, scope: 'full' }) =>
    gateway.call('PUT', '/api/v1/runtime-sessions/settings/embedding', { token: account.accessToken, body });
  const ask = (account: TestAccount, sessionId: string, query = '') =>
    gateway.call('GET', `/api/v1/runtime-sessions/${sessionId}/similar${query}`, { token: account.accessToken });

  /** Creates a session with a text, and stores the vector of its chunk. */
  async function say(account: TestAccount, content: string, vector: readonly number[] | undefined, at = new Date()) {
    const token = account.accessToken;
    counter += 1;
    const opened = await gateway.call('POST', '/api/v1/runtime-sessions', {
      token,
      body: { session_source_type: 'test', session_source_id: `similar-${counter}` },
    });
    const sessionId = String(opened.body.id);
    await gateway.call('POST', `/api/v1/runtime-sessions/${sessionId}/transcript`, {
      token,
      body: { messages: [{ role: 'user', content, occurred_at: at.toISOString() }] },
    });
    if (vector === undefined) return sessionId;
    const found = await gateway.call('POST', '/api/v1/runtime-sessions/search', {
      token,
      body: { query: content, filters: { session_id: sessionId } },
    });
    const chunkId = String(found.body.results[0].snippets[0].document_id);
    await transact({ db: indexer.db }, async (trx) => {
      const space = await findOrCreateSpace(trx, {
        accountId: account.accountId,
        provider: MODEL.provider,
        baseUrl: MODEL.base_url,
        modelIdentifier: MODEL.model_identifier,
        width: vector.length,
      });
      await writeVectors(trx, { space, vectors: [{ chunkId, vector: Float32Array.from(vector) }] });
    });
    return sessionId;
  }

  it('are those with a similar meaning, returned with their similar parts (SRCH-50, SRCH-51)', async () => {
    const account = await gateway.registerAccount();
    await enable(account);
    const own = await say(account, 'deploy the site', [1, 0, 0]);
    const near = await say(account, 'publish & deploy', [0.9, 0.1, 0]);
    const far = await say(account, 'cook a soup', [0, 0, 1]);
    const { status, body } = await ask(account, own);
    expect(status).toBe(200);
    expect(body.items.map((item: { runtime_session_id: string }) => item.runtime_session_id)).toEqual([near, far]);
    expect(body.degraded).toEqual({ keyword: false, semantic: false, reasons: [], detail: null });
    const [first] = body.items;
    expect(first.similarity).toBeCloseTo(0.994, 2);
    expect(first.excerpts).toEqual([
      expect.objectContaining({ text: 'publish &amp; deploy', role: 'user', source_kind: 'transcript_message' }),
    ]);
    expect((await ask(account, own, '?limit=1')).body.items).toHaveLength(1);
  });

  it('can be limited to the most recent days (SRCH-51)', async () => {
    const account = await gateway.registerAccount();
    await enable(account);
    const own = await say(account, 'one', [1, 0]);
    await say(account, 'long ago', [1, 0], new Date(Date.now() - 40 * DAY_MS));
    const recent = await say(account, 'lately', [1, 0], new Date(Date.now() - 20 * DAY_MS));
    const ids = async (query: string) =>
      (await ask(account, own, query)).body.items.map(
        (item: { runtime_session_id: string }) => item.runtime_session_id,
      );
    expect(await ids('?window_days=30')).toEqual([recent]);
    expect(await ids('')).toHaveLength(2);
  });

  it('result in a 404 for an unknown session, or one of another account (SRCH-50)', async () => {
    const account = await gateway.registerAccount();
    const stranger = await gateway.registerAccount();
    await enable(stranger);
    const foreign = await say(stranger, 'secret', [1, 0]);
    expect((await ask(account, foreign)).status).toBe(404);
    expect((await ask(stranger, foreign)).body.items).toEqual([]);
    expect((await ask(account, '0190aaaa-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await ask(account, 'nonsense')).status).toBe(404);
  });

  it('are empty, with the reason, while there are no vectors to compare (SRCH-52)', async () => {
    const account = await gateway.registerAccount();
    const own = await say(account, 'hello', undefined);
    const reasons = async () => {
      const { status, body } = await ask(account, own);
      expect([status, body.items, body.degraded.semantic, body.degraded.keyword]).toEqual([200, [], true, false]);
      return body.degraded.reasons;
    };
    expect(await reasons()).toEqual(['semantic_not_enabled']);
    await enable(account);
    expect(await reasons()).toEqual(['semantic_no_vectors']);
    await say(account, 'other', [1, 0]);
    expect(await reasons()).toEqual(['semantic_backfill_incomplete']);
    await enable(account, { model_identifier: 'model-b', enabled: true });
    expect(await reasons()).toEqual(['semantic_model_mismatch']);
    const twin = await startTestGateway({ SESSION_EMBEDDING_ENABLED: 'false' });
    const other = await twin.registerAccount();
    const opened = await twin.call('POST', '/api/v1/runtime-sessions', {
      token: other.accessToken,
      body: { session_source_type: 'test', session_source_id: 'one' },
    });
    const { body } = await twin.call('GET', `/api/v1/runtime-sessions/${opened.body.id}/similar`, {
      token: other.accessToken,
    });
    expect(body).toMatchObject({ items: [], degraded: { reasons: ['semantic_disabled_by_deployment'] } });
    await twin.close();
  });

  it.each(['?limit=0', '?limit=51', '?window_days=0', '?window_days=3651', '?nope=1'])(
    'are refused with %s (SRCH-51)',
    async (query) => {
      const account = await gateway.registerAccount();
      expect((await ask(account, await say(account, 'x', undefined), query)).status).toBe(422);
    },
  );
});
