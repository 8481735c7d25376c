import { useSessions } from '../../../testing/session-tests.ts';

const { call, open } = useSessions();

const find = async (filters: object, query = 'heron') => {
  const answer = await call('POST', '/search', { query, filters });
  expect(answer.status).toBe(200);
  return (answer.body as { readonly results: readonly { readonly runtime_session_id: string }[] }).results.map(
    (result) => result.runtime_session_id,
  );
};

describe('filters on tools, their outcome and the kind of session (SRCH-7)', () => {
  let [first, second] = ['', ''];
  beforeAll(async () => {
    first = (await open({ session_source_type: 'ci' })).id;
    second = (await open({ session_source_type: 'claude_code' })).id;
    await call('POST', `/${first}/tool-calls`, { tool_name: 'bash', arguments: { command: 'heron' }, status: 'error' });
    await call('POST', `/${second}/tool-calls`, { tool_name: 'Bash', arguments: { command: 'heron' }, status: 'ok' });
  });

  it('match exact values', async () => {
    expect(await find({ tool_name: 'bash' })).toEqual([first]);
    expect(await find({ tool_name: 'Bash' })).toEqual([second]);
    expect(await find({ status: 'error' })).toEqual([first]);
    expect(await find({ session_source_type: 'claude_code' })).toEqual([second]);
    expect(await find({ session_source_type: 'ci', status: 'ok' })).toEqual([]);
  });

  it('also apply to a session that is found by an identifier (SRCH-11)', async () => {
    expect(await find({ session_source_type: 'ci' }, first)).toEqual([first]);
    expect(await find({ session_source_type: 'claude_code' }, first)).toEqual([]);
    expect(await find({ tool_name: 'bash' }, first)).toEqual([]);
  });

  it('can be stored with a saved search (SRCH-70)', async () => {
    const filters = { tool_name: 'bash', status: 'error', session_source_type: 'ci' };
    const saved = await call('POST', '/search/saved', { name: 'failed shells', query: 'heron', filters });
    expect(saved.body).toMatchObject({ filters });
    const run = await call('POST', `/search/saved/${String(saved.body['id'])}/run`, {});
    expect(run.body).toMatchObject({ search: { results: [{ runtime_session_id: first }] } });
  });

  it('are refused inside the query, both in runs and in saved searches (SRCH-78)', async () => {
    const refused = { status: 422, body: { error: { detail: { field: 'query', filter: 'tool_name' } } } };
    const query = 'heron tool:bash';
    expect((await call('POST', '/search', { query })).body).toMatchObject({ detail: { filter: 'tool_name' } });
    expect(await call('POST', '/search/saved', { name: 'inner', query })).toMatchObject({ status: refused.status });
    expect(await find({}, '"heron" -"tool:grep"')).toHaveLength(2);
  });
});
