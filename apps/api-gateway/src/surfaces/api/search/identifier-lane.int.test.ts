import { openSharedGateway } from '../../../testing/shared-gateway.ts';
import type { TestAccount, TestGateway } from '../../../testing/start-gateway.ts';

describe('a query that is an identifier', () => {
  let gateway: TestGateway;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await openSharedGateway();
  });
  beforeEach(async () => {
    account = await gateway.registerAccount();
  });
  afterAll(() => gateway.close());

  const post = (path: string, body: object) =>
    gateway.call('POST', `/api/v1/runtime-sessions${path}`, { token: account.accessToken, body });
  const search = async (body: object) => (await post('/search', body)).body;
  const ids = (answer: { results: { runtime_session_id: string }[] }) =>
    answer.results.map((item) => item.runtime_session_id);

  async function open(sourceId: string, more: object = {}, text?: string): Promise<string> {
    const { body } = await post('', { session_source_type: 'test', session_source_id: sourceId, ...more });
    if (text !== undefined) await post(`/${body.id}/transcript`, { messages: [{ role: 'user', content: text }] });
    return body.id as string;
  }

  /**
   * Creates three sessions that have the reference, one of which also mentions it, and four others that only mention
   * it.
   */
  async function openAll(): Promise<{ named: string[]; others: string[] }> {
    const named = [
      await open('n1', { session_reference: 'OPS-17' }),
      await open('n2', { session_reference: 'OPS-17' }, 'OPS-17 is mine'),
      await open('n3', { session_reference: 'OPS-17' }),
    ];
    const others = [];
    for (const name of ['o1', 'o2', 'o3', 'o4']) others.push(await open(name, {}, `about OPS-17 in ${name}`));
    return { named: named.reverse(), others };
  }

  it.each([1, 2, 3, 4, 5, 20])('lists each session once in cursor pages of %i, exact matches first', async (limit) => {
    const { named, others } = await openAll();
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10; page += 1) {
      const answer = await search({ query: 'OPS-17', limit, ...(cursor === undefined ? {} : { cursor }) });
      expect(answer.results.length).toBeLessThanOrEqual(limit);
      expect([answer.total, answer.total_is_exact]).toEqual([7, true]);
      seen.push(...ids(answer));
      if (answer.next_cursor === null) break;
      cursor = answer.next_cursor;
    }
    expect(seen.slice(0, 3)).toEqual(named);
    expect([...seen].sort()).toEqual([...named, ...others].sort());
  });

  it.each([1, 2, 3, 4, 5])('lists the same sessions in offset pages of %i', async (limit) => {
    const { named, others } = await openAll();
    const whole = ids(await search({ query: 'OPS-17' }));
    expect([...whole].sort()).toEqual([...named, ...others].sort());
    const seen: string[] = [];
    for (let offset = 0; offset < 7; offset += limit) {
      const answer = await search({ query: 'OPS-17', limit, offset });
      expect(answer.total).toBe(7);
      seen.push(...ids(answer));
    }
    expect(seen).toEqual(whole);
  });

  describe('the id of an API key', () => {
    const createKey = async (name: string): Promise<{ id: string; key: string }> =>
      (await gateway.call('POST', '/api/v1/auth/api-keys', { token: account.accessToken, body: { name } })).body;
    const say = (key: string, sessionId: string, text: string) =>
      gateway.call('POST', `/api/v1/runtime-sessions/${sessionId}/transcript`, {
        token: key,
        body: { messages: [{ role: 'user', content: text }] },
      });

    it('finds every session in which it stored content, including sessions opened by others, and no other session', async () => {
      const { id: keyId, key } = await createKey('mine');
      const other = await createKey('other');
      const sessions = [];
      for (const name of ['s1', 's2', 's3', 's4', 's5', 's6', 's7']) sessions.push(await open(name));
      for (const sessionId of sessions) expect((await say(key, sessionId, 'twice')).status).toBe(201);
      for (const sessionId of sessions) await say(key, sessionId, 'again');
      await say(other.key, await open('of the other'), 'twice');
      await open('of nobody', {}, 'twice');
      const { body: opened } = await gateway.call('POST', '/api/v1/runtime-sessions', {
        token: key,
        body: { session_source_type: 'test', session_source_id: 'opened, and left empty' },
      });
      const all = [opened.id as string, ...sessions.reverse()];
      const answer = await search({ query: keyId });
      expect(ids(answer)).toEqual(all);
      expect(new Set(answer.results.map((item: { match_reason: string }) => item.match_reason))).toEqual(
        new Set(['identifier']),
      );
      expect([answer.total, answer.total_is_exact]).toEqual([8, true]);
      expect(ids(await search({ query: keyId.toUpperCase(), filters: { api_key_id: keyId } }))).toEqual(all);
      expect(ids(await search({ query: keyId, filters: { api_key_id: other.id } }))).toEqual([]);
      account = await gateway.registerAccount();
      expect((await search({ query: keyId })).results).toEqual([]);
    });

    it('returns the 50 newest sessions if there are more, page by page, and reports that there may be others', async () => {
      const { id: keyId, key } = await createKey('busy');
      const sessions: string[] = [];
      for (let index = 0; index < 53; index += 1) {
        const sessionId = await open(`busy ${index}`);
        await say(key, sessionId, index === 10 ? `the key is ${keyId}` : 'words');
        sessions.unshift(sessionId);
      }
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const answer = await search({ query: keyId, limit: 15, ...(cursor === undefined ? {} : { cursor }) });
        expect(answer.total_is_exact).toBe(false);
        seen.push(...ids(answer));
        if (answer.next_cursor === null) break;
        cursor = answer.next_cursor;
      }
      expect(seen).toEqual(sessions.slice(0, 50));
      const byOffset = [];
      for (let offset = 0; offset < 60; offset += 20)
        byOffset.push(...ids(await search({ query: keyId, limit: 20, offset })));
      expect(byOffset).toEqual(sessions.slice(0, 50));
    });
  });

  it('returns the words that match, even if other sessions are ranked higher, and explains the score', async () => {
    const id = await open('deep', { session_reference: 'BUG-9' }, `BUG-9 ${'filler '.repeat(100)}`);
    for (const name of ['p1', 'p2', 'p3']) await open(name, { title: 'BUG-9' });
    const answer = await search({ query: 'BUG-9', limit: 1, explain: true });
    expect(answer.results).toMatchObject([
      { runtime_session_id: id, match_reason: 'identifier', matched_chunk_count: 1, snippets: [{ chunk_index: 0 }] },
    ]);
    expect(answer.results[0].explain.chunks).toHaveLength(1);
    expect(answer.total).toBe(4);
  });

  it('scores at least as high as any match of words', async () => {
    const reference = Array.from({ length: 16 }, (_each, index) => `rare${index}`).join(' ');
    const id = await open('high', { session_reference: reference });
    for (let index = 0; index < 100; index += 1) await open(`low${index}`, { title: `nothing of it ${index}` });
    await open('words', { title: reference });
    const { results } = await search({ query: reference });
    expect(results[0]).toMatchObject({ runtime_session_id: id, match_reason: 'identifier' });
    expect(results[0].score).toBeGreaterThanOrEqual(results[1].score);
    expect(results[1].score).toBeGreaterThan(1);
  });

  it('respects the filters of the search', async () => {
    const id = await open('dated', { started_at: '2026-05-05T00:00:00Z' });
    const found = async (filters: object) => ids(await search({ query: 'dated', filters }));
    expect(await found({})).toEqual([id]);
    expect(await found({ start_date: '2026-05-01T00:00:00Z', session_id: id.toUpperCase() })).toEqual([id]);
    expect(await found({ end_date: '2026-05-05T00:00:00Z' })).toEqual([]);
    expect(await found({ start_date: '2126-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ runtime_principal_id: 'somebody' })).toEqual([]);
    expect(await found({ source_kind: 'tool_call' })).toEqual([]);
  });
});
