import { newId } from '@steward/crypto';
import { usePeople } from '../../../../testing/people-tests.ts';

const PATH = '/runtime-sessions/search/saved';
const people = usePeople();
const { call } = people;

const save = (token: string, fields: object) => call('POST', PATH, token, { query: 'kiwi', ...fields });
const saved = async (token: string, fields: object) => {
  const answer = await save(token, fields);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body;
};
const names = async (token: string, query = '') =>
  (await call('GET', `${PATH}${query}`, token)).body.items.map(({ name }: { name: string }) => name);

describe('a saved search (SRCH-70)', () => {
  it('is stored with its defaults, and read back as it was returned', async () => {
    const { accessToken: token, userId } = await people.register();
    const search = await saved(token, { name: '  fruit ', query: ' kiwi  plum ' });
    expect(search).toEqual({
      id: search.id,
      name: 'fruit',
      query: 'kiwi plum',
      mode: 'keyword',
      filters: {},
      max_snippets_per_session: 3,
      include_snippet_text: true,
      visibility: 'private',
      shared_at: null,
      owner_user_id: userId,
      is_own: true,
      ranking_identity: expect.stringMatching(/^keyword-/) as unknown,
      last_run_at: null,
      run_count: 0,
      created_at: search.created_at,
      updated_at: search.created_at,
    });
    expect((await call('GET', `${PATH}/${search.id}`, token)).body).toEqual(search);
    expect((await call('GET', PATH, token)).body).toEqual({ items: [search], next_cursor: null });
  });

  it('accepts every filter of a search', async () => {
    const { accessToken: token } = await people.register();
    const filters = {
      start_date: '2026-11-01T00:00:00.000Z',
      end_date: '2026-11-08T00:00:00.000Z',
      source_kind: 'tool_call',
      model_alias: 'fast',
      provider_name: 'acme',
      runtime_principal_id: 'agent-1',
      api_key_id: newId(),
      flow_id: newId(),
      session_id: newId(),
      role: 'user',
    };
    const given = { ...filters, start_date: '2026-11-01T01:00:00+01:00' };
    const search = await saved(token, { name: 'all', mode: 'hybrid', filters: given });
    expect(search).toMatchObject({ filters, mode: 'hybrid' });
    expect((await call('GET', `${PATH}/${search.id}`, token)).body.filters).toEqual(filters);
  });

  it('is updated with the fields that are sent; filters are replaced as a whole', async () => {
    const { accessToken: token } = await people.register();
    const search = await saved(token, { name: 'fruit', filters: { role: 'user', model_alias: 'fast' } });
    const patch = (body: object) => call('PATCH', `${PATH}/${search.id}`, token, body);
    const changed = await patch({
      filters: { role: 'system' },
      max_snippets_per_session: 0,
      include_snippet_text: false,
    });
    expect(changed.body).toEqual({
      ...search,
      filters: { role: 'system' },
      max_snippets_per_session: 0,
      include_snippet_text: false,
      updated_at: changed.body.updated_at,
    });
    expect((await patch({ query: 'plum', mode: 'semantic', name: 'plums' })).body).toMatchObject({
      name: 'plums',
      query: 'plum',
      mode: 'semantic',
      filters: { role: 'system' },
    });
    expect((await patch({})).status).toBe(200);
    const shared = (await patch({ visibility: 'account' })).body;
    expect(shared).toMatchObject({ visibility: 'account', shared_at: shared.updated_at });
    expect((await patch({ visibility: 'account' })).body.shared_at).toBe(shared.shared_at);
    expect((await patch({ visibility: 'private' })).body).toMatchObject({ visibility: 'private', shared_at: null });
  });

  it('is not found after its deletion, and its name can be used again', async () => {
    const { accessToken: token } = await people.register();
    const { id } = await saved(token, { name: 'fruit' });
    expect((await call('DELETE', `${PATH}/${id}`, token)).status).toBe(204);
    expect((await call('GET', `${PATH}/${id}`, token)).status).toBe(404);
    expect((await call('DELETE', `${PATH}/${id}`, token)).status).toBe(404);
    await saved(token, { name: 'fruit' });
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(121) }],
    ['query', { query: ' ' }],
    ['query', { query: 'x'.repeat(513) }],
    ['mode', { mode: 'magic' }],
    ['visibility', { visibility: 'world' }],
    ['filters.nope', { filters: { nope: 1 } }],
    ['filters.start_date', { filters: { start_date: 'yesterday' } }],
    ['max_snippets_per_session', { max_snippets_per_session: 11 }],
    ['limit', { limit: 5 }],
  ])('is refused for an invalid %s, on creation and on update (SRCH-71)', async (field, fields) => {
    const { accessToken: token } = await people.register();
    const { id } = await saved(token, { name: 'good' });
    const made = await save(token, { name: 'fruit', ...fields });
    expect([made.status, made.body.detail.field]).toEqual([422, field]);
    if (!('name' in fields) || fields.name !== undefined) {
      const changed = await call('PATCH', `${PATH}/${id}`, token, fields);
      expect([changed.status, changed.body.detail.field]).toEqual([422, field]);
    }
    expect(await names(token)).toEqual(['good']);
  });
});

describe('the names of saved searches (SRCH-72)', () => {
  it('are unique per person, not per account', async () => {
    const owner = await people.register();
    const other = await people.add(owner.accessToken, 'viewer');
    await saved(owner.accessToken, { name: 'fruit' });
    const second = await saved(owner.accessToken, { name: 'Fruit' });
    await saved(other.token, { name: 'fruit' });
    for (const refused of [
      await save(owner.accessToken, { name: ' fruit' }),
      await call('PATCH', `${PATH}/${second.id}`, owner.accessToken, { name: 'fruit' }),
    ])
      expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'conflict', field: 'name' }]);
    expect(await names(owner.accessToken)).toEqual(['Fruit', 'fruit']);
  });

  it('can each be used only once, even under simultaneous requests', async () => {
    const { accessToken: token } = await people.register();
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(token, { name: 'fruit' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('the list of saved searches (API-11)', () => {
  it('is paged, newest first, and can be filtered by name and visibility', async () => {
    const { accessToken: token } = await people.register();
    for (const name of ['a', 'b', 'c']) await saved(token, { name, visibility: name === 'b' ? 'account' : 'private' });
    expect(await names(token)).toEqual(['c', 'b', 'a']);
    expect(await names(token, '?visibility=account')).toEqual(['b']);
    expect(await names(token, '?visibility=private')).toEqual(['c', 'a']);
    for (const name of ['a', '%20a', 'a%09']) expect(await names(token, `?name=${name}`)).toEqual(['a']);
    const { body } = await call('GET', `${PATH}?limit=2`, token);
    expect(await names(token, `?limit=2&cursor=${body.next_cursor}`)).toEqual(['a']);
    for (const bad of ['?cursor=x', '?limit=0', '?visibility=all'])
      expect((await call('GET', `${PATH}${bad}`, token)).status).toBe(422);
  });
});

describe('the number of saved searches (LIM-38)', () => {
  it('is limited to 200 per person and 2000 per account', async () => {
    const owner = await people.register();
    const fill = (ownerId: string, count: number) =>
      people.query(
        `insert into search.saved_search (account_id, id, owner_id, name, query, mode, filters, max_snippets_per_session,
           include_snippet_text, visibility, ranking_identity, created_at, updated_at)
         select $1, gen_random_uuid(), $2, 'n' || n, 'x', 'keyword', '{}', 3, true, 'private', 'x', now(), now()
         from generate_series(1, $3::int) n`,
        [owner.accountId, ownerId, count],
      );
    await fill(owner.userId, 199);
    const both = await Promise.all([save(owner.accessToken, { name: 'x' }), save(owner.accessToken, { name: 'y' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = await save(owner.accessToken, { name: 'z' });
    expect(refused.body.detail).toMatchObject({ code: 'quota_reached', limit: 200 });
    await fill(newId(), 1799);
    const viewer = await people.add(owner.accessToken, 'viewer');
    await saved(viewer.token, { name: 'the last' });
    expect((await save(viewer.token, { name: 'z' })).body.detail).toMatchObject({ code: 'quota_reached', limit: 2000 });
  });
});
