import { eventually } from '@steward/testing';
import { findInDatabase } from '../../../../testing/find-in-database.ts';
import { connectMcp } from '../../../../testing/mcp-tests.ts';
import { usePeople } from '../../../../testing/people-tests.ts';
import { startLoginHost } from '../../../../testing/start-login-host.ts';

const environment: Record<string, string> = {};
let host: Awaited<ReturnType<typeof startLoginHost>>;
beforeAll(async () => {
  host = await startLoginHost();
  environment['MCP_ALLOW_INSECURE_URLS'] = host.origin;
});
const people = usePeople(environment);
afterAll(() => host.close());
beforeEach(() => host.reset());
const { call } = people;

async function add() {
  const account = await people.register();
  const { accessToken: token } = account;
  const { body } = await call('POST', '/mcp-servers', token, { name: 'guarded', url: host.url });
  const path = `/mcp-servers/${String(body.id)}`;
  const connect = (more: object = {}, by = token) => call('POST', `${path}/oauth/connect`, by, more);
  const finish = (answer: object, by = token) => call('POST', `${path}/oauth/finish`, by, answer);
  const logIn = async (more: object = {}) => {
    const begun = await connect(more);
    expect([begun.status, begun.body.detail]).toEqual([200, undefined]);
    return finish(await host.agree(String(begun.body.authorization_url)));
  };
  const refresh = async () => (await call('POST', `${path}/refresh`, token)).body;
  const go = async () => {
    const client = await connectMcp(people.gateway().url, token);
    const answer = await client.call('guarded__go').finally(() => client.close());
    return [answer.isError ?? false, answer.content[0]?.text];
  };
  return { ...account, token, path, connect, finish, logIn, refresh, go };
}

describe('a tool server that requires a login (MCP-8)', () => {
  it('is marked as such, connected by a person, and called with tokens that nobody can read', async () => {
    const { token, refresh, connect, finish, go, path, userId } = await add();
    expect(await refresh()).toMatchObject({
      status: 'failing',
      last_error: expect.stringMatching(/401.*OAuth/) as unknown,
      oauth: null,
    });
    const { body } = await connect();
    const page = new URL(String(body.authorization_url));
    expect(body.redirect_uri).toBe('http://127.0.0.1:8000/tool-servers/connected');
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: body.redirect_uri,
      resource: host.url,
      scope: 'tools:call offline_access',
    });
    expect(host.registered.at(-1)).toMatchObject({
      client_name: 'Steward',
      redirect_uris: [body.redirect_uri],
      token_endpoint_auth_method: 'none',
    });
    const done = await finish(await host.agree(page.href));
    expect([done.status, done.body.oauth]).toEqual([
      200,
      {
        issuer: host.origin,
        scope: 'tools:call offline_access',
        expires_at: expect.any(String) as unknown,
        connected_by: userId,
        connected_at: expect.any(String) as unknown,
        ended: false,
      },
    ]);
    expect(host.asked.at(-1)).toMatchObject({ grant_type: 'authorization_code', resource: host.url });
    expect(await refresh()).toMatchObject({ status: 'ok', tools_count: 1 });
    expect(await go()).toEqual([false, 'went']);
    const rows = JSON.stringify([done.body, (await call('GET', path, token)).body, await people.readAudit(token)]);
    for (const secret of [...host.tokens, page.searchParams.get('state') ?? '']) {
      expect(rows).not.toContain(secret);
      expect(await findInDatabase(people.gateway().database.url, secret)).toEqual([]);
    }
    expect((await people.readAudit(token)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['begin_login', 'connect']),
    );
  });

  it('can be connected only by the person who started the login, once, with the returned code (MCP-9)', async () => {
    const { token, connect, finish, accountId } = await add();
    const other = await people.add(token, 'owner');
    const begin = async () => host.agree(String((await connect()).body.authorization_url));
    const answer = await begin();
    expect((await finish(answer, other.token)).status).toBe(404);
    expect((await finish({ ...answer, state: 'x' })).status).toBe(404);
    const stranger = await people.register();
    expect((await finish(answer, stranger.accessToken)).status).toBe(404);
    // `iss` names an authorization server other than that of the login (RFC 9207).
    expect((await finish({ ...answer, iss: 'https://evil.example' })).status).toBe(502);
    expect((await finish(answer)).status).toBe(404);
    expect((await finish({ ...(await begin()), code: 'forged' })).body.detail).toMatchObject({
      code: 'invalid_request',
      field: 'code',
    });
    const denied = await begin();
    const { status, body } = await finish({ state: denied.state, error: 'access_denied' });
    expect([status, body.detail.message]).toEqual([422, 'The login was not authorized (access_denied).']);
    const late = await begin();
    await people.query(
      "update tool_servers.begun_login set expires_at = now() - interval '1 minute' where account_id = $1",
      [accountId],
    );
    expect((await finish(late)).status).toBe(404);
    const viewer = await people.add(token, 'viewer');
    expect((await connect({}, viewer.token)).status).toBe(403);
  });

  it('has its token renewed only once, by the first call, for all calls (MCP-10)', async () => {
    const { accountId, logIn, go, refresh } = await add();
    await logIn();
    await refresh();
    const before = host.asked.length;
    await people.query(
      "update tool_servers.granted_login set expires_at = now() + interval '30 seconds' where account_id = $1",
      [accountId],
    );
    expect(await Promise.all([go(), go(), refresh().then(({ status }) => status as string)])).toEqual([
      [false, 'went'],
      [false, 'went'],
      'ok',
    ]);
    const renewals = host.asked.slice(before);
    expect(renewals).toHaveLength(1);
    expect(renewals[0]).toMatchObject({ grant_type: 'refresh_token', resource: host.url });
  });

  it('that rejects its token gets a new one, and the call is repeated once', async () => {
    const { logIn, go, refresh } = await add();
    await logIn();
    await refresh();
    expect(await go()).toEqual([false, 'went']);
    host.tokens.clear();
    expect(await go()).toEqual([false, 'went']);
  });

  it('reports a login that has ended permanently, until somebody logs in again', async () => {
    const { logIn, go, refresh } = await add();
    await logIn();
    await refresh();
    host.tokens.clear();
    host.options.renews = false;
    expect(await go()).toEqual([true, expect.stringContaining('a person must connect it again')]);
    expect(await refresh()).toMatchObject({
      status: 'failing',
      last_error: expect.stringContaining('connect it again') as unknown,
      oauth: { ended: true },
    });
    const asked = host.asked.length;
    await refresh();
    expect(host.asked.length).toBe(asked);
    host.options.renews = true;
    await logIn();
    expect(await go()).toEqual([false, 'went']);
  });

  it('keeps the tokens of a new login that was made during a renewal', async () => {
    const { token, path, logIn, go, refresh } = await add();
    await logIn();
    await refresh();
    let release = (): void => undefined;
    const before = host.asked.length;
    host.options.beforeRenewal = () => new Promise<void>((resolve) => (release = resolve));
    host.tokens.clear();
    const late = go();
    await eventually(() => Promise.resolve(host.asked.length > before));
    expect((await call('DELETE', `${path}/oauth`, token)).status).toBe(204);
    await logIn();
    const [made] = host.tokens;
    release();
    await late;
    await refresh();
    expect(await go()).toEqual([false, 'went']);
    expect(host.used.at(-1)).toBe(made);
  });

  it('reports that the authorization server rejects the client, instead of naming the code as the cause', async () => {
    const { connect, finish } = await add();
    const answer = await host.agree(String((await connect({ client_id: 'by-hand' })).body.authorization_url));
    host.options.knowsClients = false;
    const { status, body } = await finish(answer);
    expect([status, body.detail]).toEqual([422, expect.objectContaining({ field: 'client_id' })]);
    expect(body.detail.message).toContain('does not accept the client');
  });

  it('uses a preregistered client if the authorization server does not support registration', async () => {
    host.options.registers = false;
    const { connect, logIn, go, refresh } = await add();
    const refused = await connect();
    expect([refused.status, refused.body.detail.message]).toEqual([502, expect.stringContaining('client_id')]);
    expect((await logIn({ client_id: 'by-hand', scope: 'tools:call' })).body.oauth.scope).toBe(
      'tools:call offline_access',
    );
    await refresh();
    expect(await go()).toEqual([false, 'went']);
  });

  it.each([
    ['http://127.0.0.1:8765/callback', 200],
    ['http://localhost:8765', 200],
    ['https://elsewhere.example/callback', 422],
    ['http://127.0.0.1.elsewhere.example:8765/', 422],
    ['javascript:alert(1)', 422],
    ['http://127.0.0.1:8765/?next=https://elsewhere.example', 422],
  ])('redirects a person to %s: %s', async (redirectUri, status) => {
    const { connect } = await add();
    const answer = await connect({ redirect_uri: redirectUri });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.redirect_uri).toBe(redirectUri);
  });

  it('has its login removed when it is disconnected, moved or deleted', async () => {
    const { token, path, logIn, go, refresh, connect, finish } = await add();
    await logIn();
    await refresh();
    expect((await call('DELETE', `${path}/oauth`, token)).status).toBe(204);
    expect(host.revoked.at(-1)).toMatch(/^rt-/);
    expect((await call('GET', path, token)).body.oauth).toBeNull();
    expect((await go())[0]).toBe(true);
    expect((await call('DELETE', `${path}/oauth`, token)).status).toBe(204);
    await logIn();
    const begun = await host.agree(String((await connect()).body.authorization_url));
    expect((await call('PATCH', path, token, { url: `${host.origin}/mcp/?other` })).body.oauth).not.toBeNull();
    expect((await finish(begun)).status).toBe(409);
    expect((await call('PATCH', path, token, { url: 'https://tools.example.com/mcp' })).body.oauth).toBeNull();
    const revoked = host.revoked.length;
    expect((await call('DELETE', path, token)).status).toBe(204);
    // The tools may be listed at any time after a save, so the test only checks that nothing is left to revoke.
    expect(host.revoked.length).toBe(revoked);
  });
});
