import { randomUUID } from 'node:crypto';
import { useSessions } from '../../../testing/session-tests.ts';

const { account, call, open, stranger } = useSessions();

interface Session {
  readonly id: string;
  readonly labels: readonly string[];
}

const read = async (id: string): Promise<Session> => (await call('GET', `/${id}`)).body as Session;
const list = async (label: string, token = account().accessToken) => {
  const answer = await call('GET', `?label=${encodeURIComponent(label)}`, undefined, token);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly items: readonly Session[] }).items.map(({ id }) => id);
};
const search = async (query: string, label: string, token = account().accessToken) => {
  const answer = await call('POST', '/search', { query, filters: { label } }, token);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly results: readonly { readonly runtime_session_id: string }[] }).results.map(
    (result) => result.runtime_session_id,
  );
};

describe('labels of a session (SESS-17)', () => {
  it('are stored once, in the given order, and remain unchanged by requests that omit them', async () => {
    const { id, session_source_id } = await open({ labels: ['repo:api', 'branch:main', 'repo:api'] });
    expect((await read(id)).labels).toEqual(['repo:api', 'branch:main']);
    const source = { session_source_type: 'ci', session_source_id };
    await call('POST', '', { ...source, title: 'T' });
    await call('PATCH', `/${id}`, { summary: 'S' });
    expect((await read(id)).labels).toEqual(['repo:api', 'branch:main']);
    await call('POST', '', { ...source, labels: ['repo:app'] });
    expect((await read(id)).labels).toEqual(['repo:app']);
  });

  it('are replaced as a whole, cleared by null and by an empty list, and found only by the new values', async () => {
    const [first, second] = [`run:${randomUUID()}`, `run:${randomUUID()}`];
    const { id } = await open({ labels: [first] });
    const patched = await call('PATCH', `/${id}`, { labels: [second] });
    expect(patched.body).toMatchObject({ labels: [second] });
    expect([await list(first), await list(second)]).toEqual([[], [id]]);
    await call('PATCH', `/${id}`, { labels: null });
    expect([(await read(id)).labels, await list(second)]).toEqual([[], []]);
    await call('PATCH', `/${id}`, { labels: [first] });
    await call('PATCH', `/${id}`, { labels: [] });
    expect([(await read(id)).labels, await list(first)]).toEqual([[], []]);
  });

  it('filter lists and searches, but only within the account', async () => {
    const label = `person:${randomUUID()}`;
    const labelled = await open({ title: 'heron at dawn', labels: [label, 'repo:api'] });
    await open({ title: 'heron at dusk', labels: ['repo:api'] });
    const foreign = await call(
      'POST',
      '',
      { session_source_type: 'ci', session_source_id: randomUUID(), title: 'heron', labels: [label] },
      stranger().accessToken,
    );
    expect([await list(label), await search('heron', label)]).toEqual([[labelled.id], [labelled.id]]);
    const theirs = stranger().accessToken;
    expect([await list(label, theirs), await search('heron', label, theirs)]).toEqual([
      [foreign.body['id']],
      [foreign.body['id']],
    ]);
    expect(await search('heron', 'person:nobody')).toEqual([]);
  });

  it('also apply to a session that is found by its identifier', async () => {
    const { id } = await open({ labels: ['repo:api'] });
    expect([await search(id, 'repo:api'), await search(id, 'repo:app')]).toEqual([[id], []]);
  });

  it('are consistent after simultaneous writes, both in the session and in its search index', async () => {
    const { id } = await open();
    const labels = Array.from({ length: 6 }, () => `turn:${randomUUID()}`);
    await Promise.all(labels.map((label) => call('PATCH', `/${id}`, { labels: [label] })));
    const kept = (await read(id)).labels;
    expect(kept).toHaveLength(1);
    for (const label of labels) expect(await list(label)).toEqual(kept.includes(label) ? [id] : []);
  });

  it('are normalized to composed characters before comparison, and credentials in them are masked', async () => {
    const name = randomUUID();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { id } = await open({ labels: [`person:Zoe\u0301-${name}`, `note:${key}`] });
    expect(await list(`person:Zo\u00e9-${name}`)).toEqual([id]);
    expect(JSON.stringify(await read(id))).not.toContain(key);
  });

  it.each<[string, unknown]>([
    ['no colon', ['main']],
    ['no key', [':main']],
    ['no value', ['branch:']],
    ['a key of 41 characters', [`${'k'.repeat(41)}:v`]],
    ['a value of 201 characters', [`k:${'v'.repeat(201)}`]],
    ['white space in the key', ['a b:c']],
    ['white space at the end', ['a:c ']],
    ['a line break', ['a:b\nc']],
    ['33 labels', Array.from({ length: 33 }, (_, index) => `k:${index}`)],
    ['a string instead of a list', 'repo:api'],
  ])('with %s are refused with 422, and nothing changes', async (_what, labels) => {
    const { id } = await open({ labels: ['repo:api'] });
    const answer = await call('PATCH', `/${id}`, { title: 'new', labels });
    expect(answer).toMatchObject({ status: 422, body: { detail: { field: expect.stringContaining('labels') } } });
    expect(await read(id)).toMatchObject({ labels: ['repo:api'], title: null });
  });

  it('are accepted up to the limits on their length and number', async () => {
    const labels = Array.from(
      { length: 32 },
      (_, index) => `${'k'.repeat(38)}${10 + index}:${'\u{1F426}'.repeat(200)}`,
    );
    const { id } = await open({ labels });
    expect((await read(id)).labels).toEqual(labels);
  });

  it('that are invalid in a filter are refused with 422', async () => {
    expect((await call('GET', '?label=main')).status).toBe(422);
    expect((await call('POST', '/search', { query: 'x', filters: { label: 'main' } })).status).toBe(422);
  });
});
