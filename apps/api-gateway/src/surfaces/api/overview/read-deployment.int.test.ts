import { VERSION } from '@steward/process';
import { startTestGateway, type TestGateway } from '../../../testing/start-gateway.ts';

describe('a deployment', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      SERVICE_EDITION: 'enterprise',
      REGISTRATION_ENABLED: 'first',
      MODEL_GATEWAY_CAPTURE_CONTENT: 'false',
    });
  });
  afterAll(() => gateway.close());

  const read = (options = {}) => gateway.call('GET', '/api/v1/deployment', options);

  it('reports its version and whether registration is open to everyone; its capture setting is reported only to authenticated callers (ACC-39)', async () => {
    const shown = { edition: 'enterprise', version: VERSION };
    expect((await read()).body).toEqual({ ...shown, registration_enabled: true });
    const { accessToken: token } = await gateway.registerAccount();
    expect((await read()).body).toEqual({ ...shown, registration_enabled: false });
    expect((await read({ token })).body).toEqual({
      ...shown,
      registration_enabled: false,
      content_capture: false,
      embedding_enabled: expect.any(Boolean),
      operated_by_account: true,
    });
    expect((await read({ token: 'stw_nobody' })).status).toBe(401);
  });
});
