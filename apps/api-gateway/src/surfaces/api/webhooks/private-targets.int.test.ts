import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

describe('if private targets are blocked', () => {
  let guarded: TestGateway;
  let account: TestAccount;
  beforeAll(async () => {
    guarded = await startTestGateway({
      WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true',
      WEBHOOK_ALLOWED_PRIVATE_CIDRS: '10.20.0.0/16',
      WEBHOOK_ALLOWED_PORTS: '80,443',
    });
    account = await guarded.registerAccount();
  });
  afterAll(() => guarded.close());

  const register = (url: string) =>
    guarded.call('POST', `/api/v1/event-webhooks/endpoints`, { token: account.accessToken, body: { url } });

  it.each([
    ['http://127.0.0.1/', 'loopback'],
    ['http://localhost/', 'loopback'],
    ['http://[::ffff:7f00:1]/', 'loopback'],
    ['http://169.254.169.254/latest', 'link_local'],
    ['http://10.0.0.1/', 'private'],
    ['http://0.0.0.0/', 'reserved'],
    ['http://does-not-exist.invalid/', 'unresolvable'],
  ])('%s is refused with 422 target_blocked (%s), on creation and on change (HOOK-6)', async (url, reason) => {
    const refused = await register(url);
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      { code: 'target_blocked', field: 'url', reason },
    ]);
    const endpoint = await register('http://10.20.1.1/allowed');
    expect(endpoint.status).toBe(201);
    const moved = await guarded.call('PATCH', `/api/v1/event-webhooks/endpoints/${endpoint.body.id}`, {
      token: account.accessToken,
      body: { url },
    });
    expect([moved.status, moved.body.detail.code]).toEqual([422, 'target_blocked']);
  });

  it('a port that is not allowed is refused with 422 target_blocked, and the error names the allowed ports (HOOK-6)', async () => {
    const refused = await register('http://10.20.1.1:25/');
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      { code: 'target_blocked', field: 'url', reason: 'port', allowed_ports: [80, 443] },
    ]);
    expect((await register('https://10.20.1.1/')).status).toBe(201);
  });
});
