import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { findOrCreateSpace, writeVectors } from '@steward/search';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

const MODEL = 'model-of-three';
const KEY = ['sk', 'provider', 'aB3dE5fG7hI9jK1l'].join('-');

let provider: HttpReceiver;
let gateway: TestGateway;
let indexer: Database;
beforeAll(async () => {
  // Every query gets the unit vector of the first dimension.
  provider = await startHttpReceiver((_request, response) => {
    const data = [{ index: 0, embedding: [1, 0, 0] }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, usage: { prompt_tokens: 3 } }));
  });
  gateway = await startTestGateway({
    SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: provider.url,
    SESSION_EMBEDDING_PRICE_PER_MTOK_USD: '{"default": 1}',
    // The vector or keyword part of a search is skipped if it is late, which must not happen on a busy machine.
    SESSION_EMBEDDING_QUERY_TIMEOUT_MS: '30000',
    SESSION_SEARCH_TIMEOUT_MS: '60000',
  });
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const url = gateway.database.urlForRole(APP_ROLES.searchIndexer);
  indexer = createDatabase({ url, applicationName: 'test', poolSize: 2, logger });
});
afterAll(async () => {
  await Promise.all([indexer.close(), provider.close()]);
  await gateway.close();
});

const search = (account: TestAccount, body: object) =>
  gateway.call('POST', '/api/v1/runtime-sessions/search', { token: account.accessToken, body });

/** Creates a session with a title, and stores this vector for it. */
async function tell(account: TestAccount, title: string, vector: readonly number[]): Promise<string> {
  const { accountId, accessToken: token } = account;
  const body = { session_source_type: 'test', session_source_id: `about ${title}`, title };
  const { id } = (await gateway.call('POST', '/api/v1/runtime-sessions', { token, body })).body as { id: string };
  const found = await search(account, { query: title, filters: { session_id: id, source_kind: 'session_summary' } });
  const chunkId = String(found.body.results[0].snippets[0].document_id);
  const key = { accountId, provider: 'generic_compatible', baseUrl: `${provider.url}/v1`, modelIdentifier: MODEL };
  await transact({ db: indexer.db }, async (trx) => {
    const space = await findOrCreateSpace(trx, { ...key, width: 3 });
    await writeVectors(trx, { space, vectors: [{ chunkId, vector: Float32Array.from(vector) }] });
  });
  return id;
}

describe('a hybrid search over HTTP (SRCH-34, SRCH-35)', () => {
  it('returns lexical and vector matches in separate fields, and is charged to the account that enabled it', async () => {
    const account = await gateway.registerAccount();
    const both = await tell(account, 'falcon', [1, 0.1, 0]);
    const near = await tell(account, 'bird of prey', [1, 0.5, 0]);
    const { accessToken: token } = account;
    const setting = { enabled: true, model_identifier: MODEL, base_url: `${provider.url}/v1`, api_key: KEY };
    await gateway.call('PUT', '/api/v1/runtime-sessions/settings/embedding', { token, body: setting });
    const body = { query: 'falcon', mode: 'hybrid', explain: true };
    const answer = await search(account, body);
    expect(answer.body).toMatchObject({ mode: 'hybrid', effective_mode: 'hybrid', total: 2, total_is_exact: true });
    expect(answer.body.results).toMatchObject([
      {
        runtime_session_id: both,
        score: 1,
        match_reason: 'both',
        keyword_score: expect.any(Number) as unknown,
        similarity: expect.any(Number) as unknown,
        snippets: [{ text: '<mark>falcon</mark>', match_reason: 'both', similarity: expect.any(Number) as unknown }],
        explain: { fusion: { keyword: { rank: 1, weight: 2 }, semantic: { rank: 1, weight: 1 } } },
      },
      {
        runtime_session_id: near,
        match_reason: 'semantic',
        keyword_score: null,
        snippets: [{ text: 'bird of prey', match_reason: 'semantic' }],
        explain: { fusion: { keyword: null, semantic: { rank: 2 } } },
      },
    ]);
    expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    const read = await gateway.call('GET', '/api/v1/runtime-sessions/settings/embedding', { token });
    expect(read.body.spent_today_usd).toBe(0.000003);
    const pages = [await search(account, { ...body, limit: 1 })];
    pages.push(await search(account, { ...body, limit: 1, cursor: pages[0]?.body.next_cursor as string }));
    const ids = pages.map((page) => (page.body.results as { runtime_session_id: string }[])[0]?.runtime_session_id);
    expect(ids).toEqual([both, near]);
    expect(provider.requests).toHaveLength(1);
  });
});
