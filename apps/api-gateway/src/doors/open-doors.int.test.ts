import { startTestGateway } from '../testing/start-gateway.ts';

describe('what a gateway serves (PROC-14)', () => {
  it.each([
    ['all', 401],
    ['api', 401],
    ['gateway', 404],
  ])('as %s, with telemetry switched off, which there is none of (PROC-13)', async (role, flows) => {
    const gateway = await startTestGateway({ SERVICE_ROLE: role, SERVICE_DISABLE_TELEMETRY: 'true' });
    try {
      expect((await gateway.call('GET', '/api/v1/health')).body).toMatchObject({ status: 'healthy' });
      expect((await gateway.call('GET', '/api/v1/flows')).status).toBe(flows);
    } finally {
      await gateway.close();
    }
  });
});
