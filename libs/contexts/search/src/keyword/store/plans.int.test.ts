import type pg from 'pg';
import type { PoolClient } from 'pg';
import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { explainStatement } from '../../testing/explain-statement.ts';
import { openCorpus } from '../../testing/open-corpus.ts';
import type { KeywordSearchInput } from '../keyword-search.ts';
import { createSearchKeywords } from '../operations/search-keywords.ts';
import { computeIdf } from '../rules/ranking.ts';
import { estimateIndexCost, planRetrieval, type RetrievalPlan } from '../rules/retrieval-plan.ts';
import type { MatchScope } from './match-conditions.store.ts';
import { listKeySessions } from './key-sessions.store.ts';
import { estimateRows } from './row-estimate.store.ts';
import { sampleNewest } from './sample.store.ts';
import { findSessionPage } from './session-page.store.ts';

/** Number of rows of the account; half of all rows of its partition belong to others. */
const ROWS = 30_000;

/**
 * Query plans of the search statements on a corpus that is large enough for the planner to have a choice, namely of the
 * size at which it chose badly before (a walk of the time index for a word that does not exist, a sequential scan for a
 * common one).
 */
describe('plans of the search statements', () => {
  let database: Database;
  let client: PoolClient;
  const accountId = newId();
  const scope = (tsquery: string, filter: MatchScope['filter'] = {}): MatchScope => ({
    accountId,
    tsquery,
    filter,
    asOf: undefined,
  });

  beforeAll(async () => {
    database = await openCorpus();
    client = await database.pool.connect();
    // "common" is in every row, "usual" in every tenth, "seldom" in every thousandth, "older" only in the oldest rows.
    await client.query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
         indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted, runtime_principal_id, api_key_id)
       select case when i % 2 = 0 then $1::uuid else md5('other' || i % 50)::uuid end, md5('c' || i)::uuid, md5('s' || i / 40)::uuid,
         'tool_call', 'c' || i, 0, 1, timestamptz '2026-10-01' + i * interval '1 minute', now(),
         'common ' || case when i % 20 < 2 then 'usual ' else '' end || case when i % 2000 < 2 then 'seldom ' else '' end
           || case when i < 400 then 'older ' else '' end || md5(i::text), '\\x00', 'clear', 0, 1, false,
         case when i % 200 = 0 then 'agent-7' end, md5('k' || i % 3)::uuid
       from generate_series(1, ${ROWS * 2}) i`,
      [accountId],
    );
    // The average account is tiny and has a few rows, while the one that is searched has 30,000.
    await client.query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
         indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       select md5('tiny' || i)::uuid, md5('t' || i)::uuid, md5('ts' || i)::uuid, 'tool_call', 't' || i, 0, 1,
         timestamptz '2026-10-01' + i * interval '1 minute', now(), 'common usual', '\\x00', 'clear', 0, 1, false
       from generate_series(1, 150000) i`,
    );
    await client.query('vacuum (analyze) search.chunk');
  });
  afterAll(async () => {
    client.release();
    await database.close();
  });

  /** Runs the actual statement and returns the plan that the server used. */
  async function explain(run: (recorder: PoolClient) => Promise<unknown>): Promise<string> {
    const plans: string[] = [];
    const recorder = {
      query: async (statement: string | pg.QueryConfig, values: unknown[] = []) => {
        const isSwitch = typeof statement === 'string' && statement.startsWith('set ');
        if (!isSwitch) plans.push(await explainStatement(client, statement, values));
        return typeof statement === 'string' ? client.query(statement, values) : client.query(statement);
      },
    } as unknown as PoolClient;
    await run(recorder);
    return plans.join('\n');
  }
  const page = (tsquery: string, plan: RetrievalPlan, filter: MatchScope['filter'] = {}) =>
    explain((recorder) =>
      findSessionPage(recorder, {
        ...scope(tsquery, filter),
        plan,
        terms: [{ term: tsquery, idf: 1 }],
        limit: 20,
        offset: 0,
        maxChunksPerSession: 3,
        includeText: true,
        explain: false,
      }),
    );

  type SearchSize = Pick<KeywordSearchInput, 'filter' | 'limit' | 'enough' | 'plan' | 'maxSnippetsPerSession'> &
    Partial<Pick<KeywordSearchInput, 'strictness'>>;
  const search = (query: string, more: SearchSize) =>
    createSearchKeywords({ work: database.pool, cancel: database.pool })(
      { accountId, query, strictness: 'strict', offset: 0, includeSnippetText: false, ...more },
      { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) },
    );

  it.each(["'seldom'", "'nowhere'", "'older'", "'seld':*", "'nowh':*"])(
    '%s uses the text index, never a walk or a scan',
    async (word) => {
      const plan = await page(word, { arm: 'index' });
      expect(plan).toMatch(/Bitmap Index Scan on chunk_p\d+_account_id_tsv_idx/);
      expect(plan).not.toMatch(/Seq Scan on chunk_p|occurred_at_id_idx/);
    },
  );

  it.each([
    ['from its start on', { startDate: new Date('2026-10-01T00:00:00Z') }],
    ['to its end', { endDate: new Date('2027-10-01T00:00:00Z') }],
    ['with both ends', { startDate: new Date('2026-10-01T00:00:00Z'), endDate: new Date('2027-10-01T00:00:00Z') }],
    ['and one kind of source', { endDate: new Date('2027-10-01T00:00:00Z'), sourceKind: 'tool_call' as const }],
  ])('a search for a rare word does not read all chunks of a large range, %s', async (_what, filter) => {
    const plan = await page("'seldom'", { arm: 'index' }, filter);
    expect(plan).toMatch(/Bitmap Index Scan on chunk_p\d+_account_id_tsv_idx/);
    expect(plan).not.toMatch(/Seq Scan on chunk_p|occurred_at_id_idx|runtime_session_id_occurred_at_idx/);
  });

  it.each([
    ['that stored everywhere', `md5('k0')`],
    ['that stored nothing', `md5('k9')`],
  ])('the sessions of a key %s are looked up one by one in the index', async (_what, expression) => {
    const { rows } = await client.query<{ id: string }>(`select ${expression}::uuid as id`);
    const key = { accountId, apiKeyId: rows[0]?.id ?? '', limit: 50 };
    const plan = await explain((recorder) => listKeySessions(recorder, key));
    expect(plan).toMatch(/Index Only Scan Backward using chunk_p\d+_account_id_api_key_id_runtime_session_id_idx/);
    expect(plan).not.toMatch(/Seq Scan|Bitmap|runtime_session_id_occurred_at_idx|Rows Removed by Filter: [1-9]\d{2}/);
    const found = await listKeySessions(client, key);
    const { rows: all } = await client.query<{ id: string }>(
      `select distinct runtime_session_id as id from search.chunk where account_id = $1 and api_key_id = $2
       order by 1 desc limit 50`,
      [accountId, key.apiKeyId],
    );
    expect(found).toEqual(all.map((row) => row.id));
  });

  it('the chunks of a page are read by their row location', async () => {
    for (const arm of [{ arm: 'index' }, { arm: 'walk', rows: 750 }] as const)
      expect((await page("'seldom'", arm)).match(/Tid Scan on chunk_p/g)).toHaveLength(2);
  });

  it('a search for a common word walks a limited number of rows', async () => {
    const plan = await page("'common'", { arm: 'walk', rows: 750 });
    expect(plan).toMatch(/Index Scan using chunk_p\d+_account_id_occurred_at_id_idx/);
    expect(plan).toMatch(/Limit \(actual rows=750 loops=1\)/);
    expect(plan).not.toMatch(/Seq Scan on chunk_p|tsv_idx/);
  });

  it('an agent’s own chunks are read through a separate index', async () => {
    const plan = await page("'common'", { arm: 'walk', rows: 750 }, { runtimePrincipalId: 'agent-7' });
    expect(plan).toMatch(/Index Scan using chunk_p\d+_account_id_runtime_principal_id_occurred_at_id_idx/);
  });

  it.each([
    ['a range', { startDate: new Date('2026-10-20T00:00:00Z') }, 'account_id_occurred_at_id'],
    ['an agent', { runtimePrincipalId: 'agent-7' }, 'account_id_runtime_principal_id_occurred_at_id'],
  ])('all rows of %s are read through their index, unsorted', async (_what, filter, index) => {
    const plan = await page("'usual'", { arm: 'all' }, filter);
    expect(plan).toMatch(new RegExp(`Index Scan using chunk_p\\d+_${index}_idx`));
    expect(plan).not.toMatch(
      /Seq Scan on chunk_p|tsv_idx|external|Sort Key: chunk\S* DESC, chunk\S* DESC\n +Sort Method/,
    );
  });

  it('the sample reads the newest rows and no others', async () => {
    const plan = await explain((recorder) => sampleNewest(recorder, scope("'seldom'"), ["'seldom'"]));
    expect(plan).toMatch(/Index Scan using chunk_p\d+_account_id_occurred_at_id_idx/);
    expect(plan).toMatch(/Limit \(actual rows=500 loops=1\)/);
  });

  it('only the partition of the account is accessed', async () => {
    for (const plan of [await page("'seldom'", { arm: 'index' }), await page("'common'", { arm: 'walk', rows: 750 })]) {
      expect(new Set(plan.match(/ on chunk_p\d+|using chunk_p\d+/g)?.map((name) => name.replace(/\D+/, ''))).size).toBe(
        1,
      );
    }
  });

  it.each([
    ["'common'", 'walk'],
    ["'usual'", 'walk'],
    ["'seldom'", 'index'],
    ["'nowhere'", 'index'],
    ["'common' & 'usual'", 'walk'],
  ])('%s uses the access path %s', async (tsquery, arm) => {
    const sample = await sampleNewest(client, scope(tsquery), ["'common'"]);
    const rows = await estimateRows(client, scope(tsquery));
    expect(planRetrieval(sample, estimateIndexCost(sample, rows)).arm).toBe(arm);
  });

  it.each([
    ['a tool', { toolName: 'bash' }, 'session_content'],
    ['a kind of session', { sessionSourceType: 'ci' }, 'runtime_session'],
  ])('a filter on another table is looked up by key for each match: %s', async (_what, filter, table) => {
    for (const arm of [{ arm: 'index' }, { arm: 'walk', rows: 1000 }] as const) {
      const plan = await page("'nowhere'", arm, filter);
      expect(plan).toMatch(new RegExp(`SubPlan \\d+\n *-> *Index Scan using ${table}_`));
      expect(plan).not.toMatch(new RegExp(`(?:Seq|Bitmap Heap) Scan on ${table}`));
    }
  });

  it('the sample distinguishes rows returned by the text index from matches: the index contains neither positions nor filters', async () => {
    const phrase = await sampleNewest(client, scope("'usual' <-> 'common'"), ["'usual'", "'common'"]);
    expect(phrase).toMatchObject({ rows: 500, matches: 0, yielded: 50, documentFrequencies: [50, 500] });
    const filtered = await sampleNewest(client, scope("'usual'", { role: 'user' }), ["'usual'"]);
    expect(filtered).toMatchObject({ rows: 500, matches: 0, yielded: 50 });
  });

  it('in a narrow range, where the text index would return the rows of the whole account, the range is walked', async () => {
    const startDate = new Date('2026-10-20T00:00:00Z');
    const filter = { startDate, endDate: new Date(startDate.getTime() + 24 * 3_600_000) };
    const page = await search('usual', { filter, limit: 5, maxSnippetsPerSession: 1 });
    expect(page.plan).toEqual({ arm: 'walk', rows: 2000 });
  });

  it.each([
    ['', {}],
    [' of one kind of source', { sourceKind: 'tool_call' as const }],
  ])('a range%s with too few matches for a page is read once, to its end', async (_what, more) => {
    const page = await search('usual', {
      filter: { startDate: new Date('2026-10-20T00:00:00Z'), endDate: new Date('2026-10-21T00:00:00Z'), ...more },
      limit: 50,
      maxSnippetsPerSession: 3,
    });
    expect(page).toMatchObject({ plan: { arm: 'all' }, total: 36, totalIsExact: true });
  });

  it('in a narrow range, a query for any of several words searches the range, not the whole account', async () => {
    const page = await search('usual nowhere', {
      strictness: 'any_word',
      filter: { startDate: new Date('2026-10-20T00:00:00Z'), endDate: new Date('2026-10-21T00:00:00Z') },
      limit: 50,
      maxSnippetsPerSession: 3,
    });
    expect(page).toMatchObject({ plan: { arm: 'all' }, total: 36, totalIsExact: true });
  });

  it('rows are estimated without being counted, to within a fifth', async () => {
    const rows = await estimateRows(client, scope("'common'"));
    expect(rows / ROWS).toBeGreaterThan(0.8);
    expect(rows / ROWS).toBeLessThan(1.2);
  });

  it('rows are estimated with any filters', async () => {
    const filter = { role: 'user', sourceKind: 'tool_call' as const, startDate: new Date('2026-10-20T00:00:00Z') };
    expect(await estimateRows(client, scope("'common'", filter))).toBeGreaterThan(ROWS / 10);
  });

  it('the rarer of two words has the higher weight, based on the sample', async () => {
    const sample = await sampleNewest(client, scope("'common' & 'usual'"), ["'common'", "'usual'"]);
    const [common = 0, usual = 0] = computeIdf(sample);
    expect(usual).toBeGreaterThan(common * 3);
  });

  it('a page of the maximum length is filled with a word that occurs in every chunk, without a longer walk', async () => {
    const page = await search('common', { filter: {}, limit: 50, maxSnippetsPerSession: 3 });
    expect(page.plan).toEqual({ arm: 'walk', rows: 1000 });
    expect(page.sessions).toHaveLength(51);
  });

  it('a list read in parts is walked only as far as each part requires; the next part continues from there', async () => {
    const { rows } = await client.query<{ id: string }>(`select md5('k0')::uuid as id`);
    const size = { filter: { apiKeyId: rows[0]?.id ?? '' }, limit: 100, maxSnippetsPerSession: 1 };
    const whole = await search('usual', size);
    const part = await search('usual', { ...size, enough: 20 });
    expect(part.plan).toEqual({ arm: 'walk', rows: 2000 });
    expect(part.sessions.length).toBeGreaterThan(20);
    expect(whole.sessions.length).toBeGreaterThan(part.sessions.length);
    const next = await search('usual', { ...size, enough: 100, plan: part.plan });
    expect(next.sessions).toHaveLength(101);
  });

  it('a session is never reported as empty after only a part of it was read', async () => {
    const sessionId = newId();
    const columns = `account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
      indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted`;
    // Both words are in every row, but in the wrong order except in the oldest row: the text index returns all rows,
    // and few match.
    await client.query(
      `insert into search.chunk (${columns})
       select $1, md5('deep' || i)::uuid, $2, 'tool_call', 'd' || i, 0, 1, timestamptz '2026-11-15' + i * interval '1 second',
         now(), case i when 1 then 'common phrase' else 'phrase common' end, '\\x00', 'clear', 0, 1, false
       from generate_series(1, 12000) i`,
      [accountId, sessionId],
    );
    const page = await search('"common phrase"', { filter: { sessionId }, limit: 5, maxSnippetsPerSession: 1 });
    expect(page).toMatchObject({ total: 1, totalIsExact: true });
  });
});
