import pg from 'pg';
import { newId } from '@steward/crypto';
import { useSessions } from '../../../../testing/session-tests.ts';

const sessions = useSessions();
const { call } = sessions;
const PATH = '/search/saved';

const save = async (fields: object) =>
  (await call('POST', PATH, { name: newId(), query: 'heron', ...fields })).body as { id: string };
const run = async ({ id }: { id: string }, body?: object) => (await call('POST', `${PATH}/${id}/run`, body)).body;
const tell = async (text: string, fields: object = {}) => {
  const { id } = await sessions.open(fields);
  const said = await call('POST', `/${id}/tool-calls`, { tool_name: 'sh', arguments: text });
  expect(said.status).toBe(201);
  return id;
};
const idsOf = (answer: { search: { results: { runtime_session_id: string }[] } }) =>
  answer.search.results.map(({ runtime_session_id: id }) => id);
const query = async (text: string, values: unknown[]) => {
  const client = new pg.Client({ connectionString: sessions.gateway().database.url });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
};

describe('a run of a saved search', () => {
  it('returns the response of the search, and reports what has changed since it was saved (SRCH-76)', async () => {
    const found = await tell('a heron in the reed');
    const saved = await save({ max_snippets_per_session: 1 });
    const answer = await run(saved);
    const searched = await call('POST', '/search', { query: 'heron', max_snippets_per_session: 1 });
    const { elapsed_ms: _own, ...search } = answer.search;
    const { elapsed_ms: _other, ...expected } = searched.body;
    expect(search).toEqual(expected);
    expect(idsOf(answer)).toContain(found);
    expect(answer).toMatchObject({ unresolved_filters: [], ranking_changed: false });
    const again = (await call('GET', `${PATH}/${saved.id}`)).body;
    expect(again).toMatchObject({ run_count: 1, last_run_at: expect.any(String) as unknown });
    expect(again.updated_at).toBe(again.created_at);
  });

  it('takes paging parameters in its body, and each page counts as a run', async () => {
    const ids = [await tell('pelican one'), await tell('pelican two'), await tell('pelican three')];
    const saved = await save({ query: 'pelican', include_snippet_text: false });
    const first = await run(saved, { limit: 2 });
    const rest = await run(saved, { limit: 2, cursor: first.search.next_cursor });
    expect([...idsOf(first), ...idsOf(rest)].sort()).toEqual(ids.sort());
    expect(idsOf(await run(saved, { offset: 3 }))).toEqual([]);
    expect(first.search.results[0].snippets[0].text).toBeNull();
    expect((await call('GET', `${PATH}/${saved.id}`)).body.run_count).toBe(2);
    for (const body of [{ query: 'x' }, { limit: 51 }, { filters: {} }])
      expect((await call('POST', `${PATH}/${saved.id}/run`, body)).status).toBe(422);
  });

  it('uses the search as it was last saved', async () => {
    const [one, other] = [await tell('osprey', { title: 'one' }), await tell('osprey', { title: 'other' })];
    const saved = await save({ query: 'osprey', filters: { session_id: one } });
    expect(idsOf(await run(saved))).toEqual([one]);
    await call('PATCH', `${PATH}/${saved.id}`, { filters: { session_id: other } });
    expect(idsOf(await run(saved))).toEqual([other]);
    await call('PATCH', `${PATH}/${saved.id}`, { filters: { end_date: '2001-01-01T00:00:00Z' } });
    expect(await run(saved)).toMatchObject({ search: { results: [] }, unresolved_filters: [] });
  });

  it('reports filters that refer to deleted objects, or to objects outside this account (SRCH-76)', async () => {
    const token = sessions.account().accessToken;
    const api = (method: string, path: string, body?: object) =>
      sessions.gateway().call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
    const session = await tell('heron');
    const key = (await api('POST', '/auth/api-keys', { name: 'ci' })).body;
    const agent = { agent_type: 'command', agent_config: { command: 'true' } };
    const flow = (await api('POST', '/flows', { name: newId(), prompt_template: 'x', ...agent })).body;
    const filters = { session_id: session, api_key_id: key.id, flow_id: flow.id, start_date: '2026-01-01T00:00:00Z' };
    const saved = await save({ filters });
    expect(await run(saved)).toMatchObject({ unresolved_filters: [] });
    await api('DELETE', `/auth/api-keys/${key.id}`);
    expect(await run(saved)).toMatchObject({ unresolved_filters: ['api_key_id'] });
    await api('DELETE', `/flows/${flow.id}`);
    expect(await run(saved)).toMatchObject({ unresolved_filters: ['flow_id', 'api_key_id'] });
    const stranger = sessions.stranger().accessToken;
    const source = { session_source_type: 'ci', session_source_id: newId() };
    const foreign = (await call('POST', '', source, stranger)).body.id;
    const other = await save({ filters: { session_id: foreign, role: 'user' } });
    expect(await run(other)).toMatchObject({ unresolved_filters: ['session_id'], search: { total: 0 } });
  });

  it('reports a changed ranking until the search is saved again (SRCH-76)', async () => {
    const saved = await save({});
    await query(`update search.saved_search set ranking_identity = 'keyword-former' where id = $1`, [saved.id]);
    expect(await run(saved)).toMatchObject({ ranking_changed: true });
    await call('PATCH', `${PATH}/${saved.id}`, {});
    expect(await run(saved)).toMatchObject({ ranking_changed: false });
  });

  it.each(['semantic', 'hybrid', 'keyword'])(
    'reports a changed %s search when the account switches to another embedding model, if its mode uses embeddings (SRCH-76)',
    async (mode) => {
      const choose = (fields: object) => call('PUT', '/settings/embedding', fields);
      const provider = { enabled: true, base_url: 'https://models.example.com/v1' };
      expect((await choose({ ...provider, model_identifier: 'model-a' })).status).toBe(200);
      const saved = await save({ mode });
      expect(await run(saved)).toMatchObject({ ranking_changed: false });
      expect((await choose({ model_identifier: 'model-b' })).status).toBe(200);
      expect(await run(saved)).toMatchObject({ ranking_changed: mode !== 'keyword' });
      expect((await choose({ model_identifier: 'model-a' })).status).toBe(200);
      expect(await run(saved)).toMatchObject({ ranking_changed: false });
      await choose({ enabled: false });
    },
  );

  it('is refused for a query without words, like the search itself, and is not counted', async () => {
    const saved = await save({ query: '-heron' });
    const answer = await call('POST', `${PATH}/${saved.id}/run`);
    expect([answer.status, answer.body.detail.code]).toEqual([422, 'query_has_no_terms']);
    expect((await call('GET', `${PATH}/${saved.id}`)).body.run_count).toBe(0);
  });
});
