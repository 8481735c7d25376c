import { eventually } from '@steward/testing';
import { startTestGateway } from '../testing/start-gateway.ts';

describe('the routes of a gateway (PROC-14)', () => {
  it.each([
    ['all', 401, 401],
    ['api', 401, 404],
    ['gateway', 404, 401],
  ])('include %s, with telemetry disabled, which does not exist (PROC-13)', async (role, flows, models) => {
    const gateway = await startTestGateway({ SERVICE_ROLE: role, SERVICE_DISABLE_TELEMETRY: 'true' });
    try {
      await eventually(async () => (await gateway.call('GET', '/api/v1/health')).body.status === 'healthy');
      expect((await gateway.call('GET', '/api/v1/flows')).status).toBe(flows);
      expect((await gateway.call('GET', '/openai/v1/models')).status).toBe(models);
      expect((await gateway.call('POST', '/anthropic/v1/messages', { body: {} })).status).toBe(models);
    } finally {
      await gateway.close();
    }
  });
});
