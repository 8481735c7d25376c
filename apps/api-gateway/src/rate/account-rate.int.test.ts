import { newId } from '@steward/crypto';
import { startTestGateway, type JsonResponse, type TestAccount, type TestGateway } from '../testing/start-gateway.ts';

/** Budget of an account; small, because a busy machine would not use up a larger one before it refills. */
const PER_MINUTE = 3;

describe('the request budget of an account', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  beforeEach(async () => {
    gateway = await startTestGateway({ ACCOUNT_RATE_PER_MINUTE: String(PER_MINUTE) });
    account = await gateway.registerAccount();
  });
  afterEach(() => gateway.close());

  const me = (token = account.accessToken) => gateway.call('GET', '/api/v1/users/me', { token });
  const readBudget = ({ headers }: JsonResponse) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name) ?? NaN));
  const spendAll = async (): Promise<void> => {
    for (let count = 0; count < PER_MINUTE; count += 1) await me();
  };

  it('is reported in every response: the limit, the remainder, and the time until it is full again (LIM-2)', async () => {
    expect(readBudget(await me())).toEqual([PER_MINUTE, PER_MINUTE - 1, 60 / PER_MINUTE]);
    const refused = await gateway.call('GET', `/api/v1/flows/${newId()}`, { token: account.accessToken });
    expect([refused.status, readBudget(refused).slice(0, 2)]).toEqual([404, [PER_MINUTE, PER_MINUTE - 2]]);
  });

  it('refuses further requests with 429 and the seconds to wait, without any effect (LIM-1, ERR-3, ERR-6)', async () => {
    await spendAll();
    const refused = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token: account.accessToken,
      body: { name: 'too many' },
    });
    expect([refused.status, refused.body.detail.code, refused.body.detail.limit]).toEqual([
      429,
      'rate_limited',
      PER_MINUTE,
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60 / PER_MINUTE + 1);
    expect(readBudget(refused).slice(0, 2)).toEqual([PER_MINUTE, 0]);
    // Another process counts separately, and has counted nothing so far.
    const twin = await gateway.startTwin();
    const keys = await twin.call('GET', '/api/v1/auth/api-keys', { token: account.accessToken });
    expect([keys.status, keys.body.items]).toEqual([200, []]);
    await twin.close();
  });

  it('is shared by all users and keys of the account, and does not affect other accounts', async () => {
    const key = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token: account.accessToken,
      body: { name: 'a key' },
    });
    expect((await me(key.body.key)).headers.get('ratelimit-remaining')).toBe(String(PER_MINUTE - 2));
    await spendAll();
    for (const token of [account.accessToken, key.body.key as string])
      expect((await gateway.call('GET', '/api/v1/flows', { token })).status).toBe(429);
    const other = await gateway.registerAccount();
    expect((await me(other.accessToken)).status).toBe(200);
  });

  it('does not apply to requests without an account: health, the API page, logins, and webhooks with their own budget', async () => {
    const flow = await gateway.call('POST', '/api/v1/flows', {
      token: account.accessToken,
      body: {
        name: 'hook',
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
        trigger: 'webhook',
      },
    });
    await spendAll();
    expect((await me()).status).toBe(429);
    const health = await gateway.call('GET', '/api/v1/health');
    expect([health.status, health.headers.get('ratelimit-limit')]).toEqual([200, null]);
    expect((await gateway.call('GET', '/docs/api/openapi.json')).status).toBe(200);
    const { username, password } = account;
    const login = await gateway.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
    expect(login.status).toBe(200);
    const hook = `/webhooks/flows/${flow.body.id}/${flow.body.webhook_config.webhook_secret}`;
    expect((await gateway.call('POST', hook, { body: {} })).status).toBe(202);
  });
});
