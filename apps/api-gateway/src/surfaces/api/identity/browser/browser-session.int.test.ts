import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { eventually } from '@steward/testing';
import { usePeople } from '../../../../testing/people-tests.ts';

const SESSION = '/api/v1/auth/session';
const REFRESH = `${SESSION}/refresh`;
const OWN = { 'sec-fetch-site': 'same-origin' };

describe('browser logins', () => {
  const people = usePeople({ BROWSER_TOKEN_EXPIRE_MINUTES: '7', LOGIN_FAILURES_PER_MINUTE: '3' });
  const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    people.gateway().call(method, path, { headers, ...(body === undefined ? {} : { body }) });
  const cookieOf = ({ headers }: { readonly headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const refresh = (cookie: string, headers: Record<string, string> = OWN) =>
    send('POST', REFRESH, { ...headers, cookie }, {});
  async function open() {
    const { username, password, accessToken: otherToken } = await people.register();
    const answer = await send('POST', SESSION, OWN, { username, password });
    return {
      username,
      password,
      otherToken,
      answer,
      cookie: cookieOf(answer),
      token: answer.body.access_token as string,
    };
  }
  /** Simulates that a number of seconds have passed since the cookies were exchanged. */
  const age = (seconds: number) =>
    people.query(`update gateway.refresh_token set used_at = used_at - $1 * interval '1 second'`, [seconds]);

  it('return the refresh token only as a cookie for one path, and a short-lived access token to the page (ACC-36)', async () => {
    const { answer, token, username } = await open();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'token_type', 'user']);
    expect([answer.body.expires_in, answer.body.user.username]).toEqual([420, username]);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^steward_session=stw_bs_[\w-]{43}; Path=\/api\/v1\/auth\/session; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await people.probe(token)).toBe(200);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
    ['an address entered by the user', { 'sec-fetch-site': 'none' }],
    ['another origin, with no other header', { origin: 'http://evil.test' }],
    ['a null origin', { origin: 'null' }],
    ['a client that is not a browser', {}],
  ])('refuse requests from %s, and set no cookie (ACC-36, WEB-5)', async (_whence, headers: Record<string, string>) => {
    const { username, password, cookie } = await open();
    const answers = [
      await send('POST', SESSION, headers, { username, password }),
      await refresh(cookie, headers),
      await send('DELETE', SESSION, { ...headers, cookie }),
    ];
    for (const { status, body, headers: said } of answers)
      expect([status, body.detail.code, said.get('set-cookie')]).toEqual([403, 'cross_origin_request', null]);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('trust the Origin header if the browser sends no other header (ACC-36)', async () => {
    const { cookie } = await open();
    const { origin } = new URL(people.gateway().url);
    expect((await refresh(cookie, { origin })).status).toBe(200);
  });

  it('share the count of wrong passwords with all other kinds of login (ACC-36, ACC-14)', async () => {
    const { username } = await people.register();
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await send('POST', SESSION, OWN, { username, password: 'no' })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await people.login(username, 'no')).status).toBe(429);
  });

  it('exchange their cookie for the next one; tabs that refresh together count as one browser (ACC-37)', async () => {
    const { cookie } = await open();
    const answers = await Promise.all([refresh(cookie), refresh(cookie), refresh(cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter((answer) => cookieOf(answer) !== '')).toHaveLength(1);
    for (const { body } of answers) expect(await people.probe(body.access_token)).toBe(200);
    const next = answers.map(cookieOf).find((value) => value !== '') ?? '';
    expect((await refresh(next)).status).toBe(200);
  });

  it('accept the previous cookie for 30 seconds after its exchange (ACC-37)', async () => {
    // The request has one second to arrive: if that is too short, the test tries again with another browser.
    await eventually(async () => {
      const { cookie } = await open();
      const next = cookieOf(await refresh(cookie));
      await age(29);
      const statuses = [(await refresh(cookie)).status, (await refresh(next)).status];
      return statuses.every((status) => status === 200);
    });
  });

  it('end when a cookie is sent more than 30 seconds after its exchange, which is recorded in the audit log (ACC-37, ACC-12)', async () => {
    const { cookie, token, otherToken } = await open();
    const next = cookieOf(await refresh(cookie));
    await age(31);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(next)).status).toBe(401);
    expect(await people.probe(token)).toBe(401);
    const [entry] = await people.readAudit(otherToken);
    expect(entry).toMatchObject({ action: 'reuse_refresh_token', status: 'denied' });
  });

  it('delete a cookie that is no longer valid; no other response does (ACC-37)', async () => {
    const { cookie } = await open();
    const next = cookieOf(await refresh(cookie));
    expect((await refresh(cookie)).headers.getSetCookie()).toEqual([]);
    await age(31);
    for (const worthless of [cookie, next, 'steward_session=stw_bs_nothing', '']) {
      const { status, headers } = await refresh(worthless);
      expect([status, headers.getSetCookie()]).toEqual([
        401,
        [expect.stringMatching(/^steward_session=; Path=\/api\/v1\/auth\/session; Max-Age=0; /)],
      ]);
    }
  });

  it('end when the user signs out, and delete the cookie (ACC-38)', async () => {
    const { cookie, token, otherToken } = await open();
    const out = await send('DELETE', SESSION, { ...OWN, cookie });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^steward_session=; .*Max-Age=0/),
    ]);
    expect(await people.probe(token)).toBe(401);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await people.readAudit(otherToken))[0]).toMatchObject({ action: 'logout', status: 'success' });
    expect((await send('DELETE', SESSION, OWN)).status).toBe(204);
    expect(await people.probe(otherToken)).toBe(200);
  });

  it('end when all logins are ended (ACC-11)', async () => {
    const { cookie, token } = await open();
    expect((await people.call('POST', '/auth/sessions/revoke-all', token)).status).toBe(204);
    expect((await refresh(cookie)).status).toBe(401);
  });

  it('do not share tokens with logins of programs, and no other route reads a cookie (ACC-38)', async () => {
    const { cookie, username, password } = await open();
    const { body } = await people.login(username, password);
    expect((await refresh(`steward_session=${String(body.refresh_token)}`)).status).toBe(401);
    const [, value] = cookie.split('=');
    expect((await people.call('POST', '/auth/refresh', undefined, { refresh_token: value })).status).toBe(401);
    expect((await refresh(`a=b; ${cookie}; c=d`)).status).toBe(200);
    for (const headers of [{ cookie }, { authorization: `Bearer ${String(value)}` }])
      expect((await send('GET', '/api/v1/users/me', { ...OWN, ...headers })).status).toBe(401);
  });
});

describe('a service that is accessed over HTTPS', () => {
  const people = usePeople({ PUBLIC_URL: 'https://steward.example.test' });

  it('restricts the cookie to encrypted connections (ACC-36)', async () => {
    const { username, password } = await people.register();
    const answer = await people.gateway().call('POST', SESSION, { headers: OWN, body: { username, password } });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Secure-steward_session=.*; SameSite=Strict; Secure$/);
  });

  /** Logs in with the given `Host` header, which Node's `fetch` does not allow; returns the status. */
  const sign = async (host: string, origin: string | undefined, more: Record<string, string> = OWN) => {
    const { username, password } = await people.register();
    const headers = { ...more, host, ...(origin === undefined ? {} : { origin }), 'content-type': 'application/json' };
    const { port } = new URL(people.gateway().url);
    const sent = request({ host: '127.0.0.1', port, path: SESSION, method: 'POST', headers });
    sent.end(JSON.stringify({ username, password }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  it.each([
    ['a name that temporarily resolves to this machine', 'evil.test:8000', 'http://evil.test:8000'],
    ['that name, with no other header', 'evil.test:8000', 'http://evil.test:8000', {}],
    ['an address of the local network', '192.168.1.5:8000', 'http://192.168.1.5:8000'],
    ['its own name without TLS', 'steward.example.test', 'http://steward.example.test'],
    ['another port of this machine', '127.0.0.1:8000', 'http://127.0.0.1:9'],
    ['a subdomain of a loopback name', 'localhost.evil.test:8000', 'http://localhost.evil.test:8000'],
  ])('refuses a login from a page at %s, whatever host it names (ACC-36)', async (_where, host, origin, more = OWN) => {
    expect(await sign(host, origin, more)).toBe(403);
  });

  it.each([
    ['the public address, whatever host a proxy requests', '10.0.0.1:8000', 'https://steward.example.test'],
    ['localhost, at its own port', 'localhost:8000', 'http://localhost:8000'],
    ['127.0.0.1, at its own port', '127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['::1, at its own port', '[::1]:8000', 'http://[::1]:8000'],
    ['a browser that sends no origin', 'steward.example.test', undefined],
  ])('accepts a login from a page at %s (ACC-36)', async (_where, host, origin) => {
    expect(await sign(host, origin)).toBe(200);
  });

  it('accepts a browser that sends only the Origin header, at the public address (ACC-36)', async () => {
    expect(await sign('steward.example.test', 'https://steward.example.test', {})).toBe(200);
  });
});
