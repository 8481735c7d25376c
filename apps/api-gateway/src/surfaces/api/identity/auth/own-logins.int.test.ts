import { randomUUID } from 'node:crypto';
import { PASSWORD, usePeople } from '../../../../testing/people-tests.ts';

const people = usePeople();
const { call } = people;

interface Login {
  readonly id: string;
  readonly kind: string;
  readonly client: string | null;
  readonly current: boolean;
}

const list = async (token: string): Promise<Login[]> => (await call('GET', '/auth/sessions', token)).body.items;
/** Signs a user in to a browser. */
const signIn = async (username: string, agent: string) => {
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': agent };
  const answer = await people
    .gateway()
    .call('POST', '/api/v1/auth/session', { headers, body: { username, password: PASSWORD } });
  return { token: answer.body.access_token as string, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

describe('the list of a user’s logins', () => {
  it('contains the client that started each login, and marks the current one (ACC-41)', async () => {
    const { accessToken: owner } = await people.register();
    const dana = await people.add(owner, 'viewer');
    const browser = await signIn(dana.username, 'Mozilla/5.0 (test)');
    expect(await list(browser.token)).toEqual([
      {
        id: expect.any(String),
        kind: 'browser',
        client: 'Mozilla/5.0 (test)',
        current: true,
        created_at: expect.stringMatching(/Z$/),
        refreshed_at: null,
        expires_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ kind: 'program', client: 'node', current: false }),
    ]);
    const headers = { 'sec-fetch-site': 'same-origin', cookie: browser.cookie };
    await people.gateway().call('POST', '/api/v1/auth/session/refresh', { headers, body: {} });
    expect((await list(dana.token)).map(({ current, ...login }) => [current, login])).toMatchObject([
      [false, { kind: 'browser', refreshed_at: expect.stringMatching(/Z$/) }],
      [true, { kind: 'program', refreshed_at: null }],
    ]);
    expect(await list(owner)).toHaveLength(1);
  });

  it('contains at most one line about each client (ACC-41)', async () => {
    const dana = await people.add((await people.register()).accessToken, 'viewer');
    const { token } = await signIn(dana.username, 'x'.repeat(2000));
    expect((await list(token))[0]?.client).toBe('x'.repeat(300));
  });

  it('allows ending logins one by one, with immediate effect, without affecting other users (ACC-41)', async () => {
    const { accessToken: owner } = await people.register();
    const dana = await people.add(owner, 'viewer');
    const browser = await signIn(dana.username, 'lost phone');
    const [lost, own] = await list(dana.token);
    for (const id of [lost?.id, randomUUID()])
      expect((await call('DELETE', `/auth/sessions/${id}`, owner)).status).toBe(404);
    expect((await call('DELETE', `/auth/sessions/${lost?.id}`, dana.token)).status).toBe(204);
    expect(await people.probe(browser.token)).toBe(401);
    const headers = { 'sec-fetch-site': 'same-origin', cookie: browser.cookie };
    const refreshed = await people.gateway().call('POST', '/api/v1/auth/session/refresh', { headers, body: {} });
    expect(refreshed.status).toBe(401);
    expect(await list(dana.token)).toMatchObject([{ id: own?.id }]);
    expect((await call('DELETE', `/auth/sessions/${own?.id}`, dana.token)).status).toBe(204);
    expect(await people.probe(dana.token)).toBe(401);
  });

  it('is not available to an API key, which cannot end logins either (ACC-41)', async () => {
    const { accessToken: owner } = await people.register();
    const { body } = await call('POST', '/auth/api-keys', owner, { name: 'key' });
    const [login] = await list(owner);
    expect((await call('GET', '/auth/sessions', body.key)).status).toBe(403);
    expect((await call('DELETE', `/auth/sessions/${login?.id}`, body.key)).status).toBe(403);
  });
});
