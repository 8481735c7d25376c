import pg from 'pg';
import { INTERACTION, useSessions } from '../../../testing/session-tests.ts';

const { account, call, gateway, open, stranger } = useSessions();

const fetchExport = (id: string, token = account().accessToken) =>
  fetch(`${gateway().url}/api/v1/runtime-sessions/${id}/export`, { headers: { authorization: `Bearer ${token}` } });
const readLines = async (response: Response) =>
  (await response.text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

interface Line {
  readonly record: string;
  readonly [field: string]: unknown;
}

describe('the export of a session (SESS-18)', () => {
  it('contains the session, all of its content in the order of the timeline, and an end record', async () => {
    const { id } = await open({ title: 'T', labels: ['repo:api'] });
    const messages = Array.from({ length: 450 }, (_, index) => ({ role: 'user', content: `message ${index}` }));
    await call('POST', `/${id}/transcript`, { messages });
    await call('POST', `/${id}/interactions`, INTERACTION);
    const response = await fetchExport(id);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = await readLines(response);
    const session = (await call('GET', `/${id}`)).body;
    expect(lines[0]).toEqual({ record: 'session', ...session });
    expect(lines.at(-1)).toEqual({ record: 'end', items: 451 });
    const timeline = (await call('GET', `/${id}/timeline?limit=200`)).body as { readonly items: readonly object[] };
    expect(lines.slice(1, 201)).toEqual(timeline.items.map((item) => ({ record: 'content', ...item })));
    expect(new Set(lines.slice(1, -1).map((line) => line['id'])).size).toBe(451);
  });

  it('contains only the session if there is no content', async () => {
    const { id } = await open();
    expect((await readLines(await fetchExport(id))).map(({ record }) => record)).toEqual(['session', 'end']);
  });

  it('returns 404 for other accounts (API-10)', async () => {
    const { id } = await open();
    expect((await fetchExport(id, stranger().accessToken)).status).toBe(404);
  });

  it('hides credentials from users who may not write content', async () => {
    const { id } = await open();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content: `use ${secret}` }] });
    const asked = { token: account().accessToken, body: { name: 'viewer', scopes: ['view_runtime_sessions'] } };
    const viewer = (await gateway().call('POST', '/api/v1/auth/api-keys', asked)).body['key'] as string;
    expect(await (await fetchExport(id)).text()).toContain(secret);
    expect(await (await fetchExport(id, viewer)).text()).not.toContain(secret);
  });

  it('is 503 if bodies are in a bucket that this gateway does not have (SESS-39)', async () => {
    const { id } = await open();
    await call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content: 'moved' }] });
    const admin = new pg.Client({ connectionString: gateway().database.url });
    await admin.connect();
    try {
      await admin.query(
        `with moved as (
           update gateway.session_content set content = null, content_object = 'content/x', content_object_bytes = 1,
             content_sha256 = 'x' where runtime_session_id = $1 returning account_id
         )
         insert into gateway.content_key (account_id, key_sealed) select account_id, 'x' from moved`,
        [id],
      );
      const refused = await fetchExport(id);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      await admin.query('delete from gateway.content_key');
    } finally {
      await admin.end();
    }
  });

  it('is refused only beyond the limit of simultaneous exports of an account (LIM-60)', async () => {
    const { id } = await open();
    const admin = new pg.Client({ connectionString: gateway().database.url });
    await admin.connect();
    try {
      // The response headers are sent, but the pages of content wait for the lock.
      await admin.query('begin; lock table gateway.session_content in access exclusive mode');
      const under = await Promise.all(Array.from({ length: 4 }, () => fetchExport(id)));
      const refused = await fetchExport(id);
      expect([refused.status, ((await refused.json()) as { detail: object }).detail]).toMatchObject([
        429,
        { code: 'rate_limited', limit: 4 },
      ]);
      await admin.query('rollback');
      for (const response of under) expect((await readLines(response)).at(-1)).toMatchObject({ record: 'end' });
    } finally {
      await admin.end();
    }
    expect((await readLines(await fetchExport(id))).at(-1)).toMatchObject({ record: 'end' });
  });

  it('is aborted without any effect on the gateway when its reader disconnects', async () => {
    const { id } = await open();
    const message = { role: 'user', content: 'x'.repeat(600_000) };
    for (let index = 0; index < 3; index += 1) {
      const stored = await call('POST', `/${id}/transcript`, { messages: Array(5).fill(message) });
      expect(stored.status).toBe(201);
    }
    const response = await fetchExport(id);
    await response.body?.cancel();
    expect((await readLines(await fetchExport(id))).at(-1)).toEqual({ record: 'end', items: 15 });
  });
});
