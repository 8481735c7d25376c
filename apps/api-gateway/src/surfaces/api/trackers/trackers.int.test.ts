import { TRACKER_KINDS } from '@steward/trackers';
import { PLAYED_PLACES, TOKEN, useTrackers } from '../../../testing/tracker-tests.ts';

const trackers = useTrackers();
const { call, connect, people, played } = trackers;

describe('a connection to a tracker', () => {
  it('is created, read, listed, changed and deleted, and never shows its token (TRK-1, TRK-3)', async () => {
    const created = await connect('github', { repositories: ['acme/*'] });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'github',
        kind: 'github',
        base_url: played('github').origin,
        username: null,
        repositories: ['acme/*'],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const path = `/trackers/${created.body.id}`;
    expect((await call('GET', path)).body).toEqual(created.body);
    expect((await call('GET', '/trackers')).body.items).toEqual([created.body]);
    const changed = await call('PATCH', path, { name: 'shop', repositories: [] });
    expect([changed.status, changed.body.name, changed.body.repositories]).toEqual([200, 'shop', []]);
    const [row] = await people.query('select * from trackers.tracker where id = $1', [created.body.id]);
    expect(JSON.stringify(row)).not.toContain(TOKEN);
    const audit = await people.readAudit(trackers.owner().accessToken);
    expect(audit.slice(0, 2).map(({ action, resource_type: type }) => `${action} ${type}`)).toEqual([
      'update tracker',
      'create tracker',
    ]);
    expect(JSON.stringify([audit, changed.body])).not.toContain(TOKEN);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });

  it.each<[string, object, string]>([
    ['a name with a space', { name: 'my hub' }, 'name'],
    ['a token with a line break', { token: 'a\nb' }, 'token'],
    ['a user for GitHub', { username: 'dana@acme.test' }, 'username'],
    ['a repository that leads upwards', { repositories: ['../shop'] }, 'repositories.0'],
    ['an address without HTTPS', { base_url: 'http://tracker.acme.test' }, 'base_url'],
    ['an address of this machine', { base_url: 'https://127.0.0.1' }, 'base_url'],
    ['an address in a private network', { base_url: 'https://10.0.0.7' }, 'base_url'],
    ['the address of a cloud metadata service', { base_url: 'https://169.254.169.254' }, 'base_url'],
    ['an address with credentials', { base_url: 'https://me:secret@tracker.acme.test' }, 'base_url'],
  ])('with %s is refused with the field name (TRK-2, TRK-4)', async (_what, fields, field) => {
    const { status, body } = await connect('github', fields);
    expect([status, body.detail.field]).toEqual([422, field]);
  });

  it('requires an address for Jira; Linear has only one address (TRK-4)', async () => {
    const base = { name: 'x', token: TOKEN };
    const jira = await call('POST', '/trackers', { ...base, kind: 'jira' });
    expect([jira.status, jira.body.detail.field]).toEqual([422, 'base_url']);
    const linear = await call('POST', '/trackers', { ...base, kind: 'linear', base_url: 'https://linear.acme.test' });
    expect([linear.status, linear.body.detail.field]).toEqual([422, 'base_url']);
    expect((await call('POST', '/trackers', { ...base, kind: 'linear' })).body.base_url).toBe('https://api.linear.app');
  });

  it('has a unique name, and can only be moved to another server together with its token (TRK-2, TRK-3)', async () => {
    const { body } = await connect('gitlab');
    expect((await connect('gitlab')).status).toBe(409);
    const elsewhere = { base_url: 'https://gitlab.acme.test' };
    const moved = await call('PATCH', `/trackers/${body.id}`, elsewhere);
    expect([moved.status, moved.body.detail.field]).toEqual([422, 'token']);
    expect((await call('PATCH', `/trackers/${body.id}`, { ...elsewhere, token: 'another' })).status).toBe(200);
  });

  it('can be changed by owners, admins and tracker managers, and read by all users (TRK-1)', async () => {
    const { body } = await connect('github');
    const may: Record<string, number[]> = {};
    for (const role of ['admin', 'tracker_manager', 'editor', 'executor', 'analyst', 'viewer']) {
      const { token } = await people.add(trackers.owner().accessToken, role);
      const look = await call('GET', '/trackers', undefined, token);
      const change = await call('PATCH', `/trackers/${body.id}`, { repositories: [] }, token);
      may[role] = [look.status, change.status];
    }
    expect(may).toEqual({
      admin: [200, 200],
      tracker_manager: [200, 200],
      editor: [200, 403],
      executor: [200, 403],
      analyst: [200, 403],
      viewer: [200, 403],
    });
  });

  it('is not found in another account', async () => {
    const { body } = await connect('github');
    const stranger = (await people.register()).accessToken;
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ])
      expect(
        (await call(String(method), `/trackers/${body.id}${path}`, method === 'GET' ? undefined : {}, stranger)).status,
      ).toBe(404);
  });
});

describe('the test of a connection (TRK-5)', () => {
  it.each(TRACKER_KINDS)('returns the user and permissions of the token for %s', async (kind) => {
    const { body } = await connect(kind);
    const { repository, login } = PLAYED_PLACES[kind];
    const tested = await call('POST', `/trackers/${body.id}/test`, { repository });
    expect([tested.status, tested.body]).toEqual([
      200,
      {
        ok: true,
        latency_ms: expect.any(Number),
        login,
        name: 'Octo Bot',
        scopes: kind === 'github' ? ['repo', 'admin:repo_hook'] : kind === 'gitlab' ? ['api'] : null,
        expires_at: kind === 'github' ? '2027-01-01 00:00:00 UTC' : kind === 'gitlab' ? '2027-01-01' : null,
        repository: { name: repository, may_read: true, may_write: true, may_manage_hooks: true },
        error: null,
      },
    ]);
    const sent = played(kind).requests.at(-1)?.headers;
    const basic = `Basic ${Buffer.from(`bot@acme.test:${TOKEN}`).toString('base64')}`;
    const expected = { jira: basic, gitlab: undefined, github: `Bearer ${TOKEN}`, linear: `Bearer ${TOKEN}` };
    expect(sent?.authorization).toBe(expected[kind]);
    if (kind === 'gitlab') expect(sent?.['private-token']).toBe(TOKEN);
  });

  it.each([
    [401, {}, 'unauthorized'],
    [403, {}, 'forbidden'],
    [403, { 'x-ratelimit-remaining': '0' }, 'rate_limited'],
    [404, {}, 'not_found'],
    [422, {}, 'invalid'],
    [429, { 'retry-after': '60' }, 'rate_limited'],
    [503, {}, 'unavailable'],
  ])('with the response %d %j reports %s in the tracker’s words, without the token', async (status, headers, code) => {
    const { body } = await connect('github');
    played('github').refuse({ status, headers, body: { message: `Bad credentials ${TOKEN}` } });
    const tested = await call('POST', `/trackers/${body.id}/test`);
    expect([tested.status, tested.body.ok, tested.body.error]).toEqual([
      200,
      false,
      { code, message: `GitHub responded with ${status}: Bad credentials [hidden].` },
    ]);
  });

  it('reports a tracker that does not respond or does not return JSON', async () => {
    const { body } = await connect('github', { base_url: 'https://tracker.invalid' });
    const tested = await call('POST', `/trackers/${body.id}/test`);
    expect(tested.body.error).toEqual({
      code: 'unreachable',
      message: expect.stringMatching(/^GitHub could not be reached: /),
    });
  });
});
