import { VERSION } from '@steward/process';
import { eventually } from '@steward/testing';
import { startTestGateway } from '../../../testing/start-gateway.ts';

describe('what orchestrators ask the gateway', () => {
  it('a gateway that is told to stop answers not ready while its door is still open, then closes it', async () => {
    const gateway = await startTestGateway({ SHUTDOWN_DRAIN_SECONDS: '1' });
    try {
      expect((await gateway.call('GET', '/api/v1/health')).body).toEqual({
        status: 'healthy',
        checks: { database: 'ok', broker: 'ok' },
        version: VERSION,
      });
      expect((await gateway.call('GET', '/api/v1/livez')).body).toEqual({ status: 'alive', version: VERSION });
      const twin = await gateway.startTwin();
      expect((await twin.call('GET', '/api/v1/readyz')).body).toEqual({ status: 'ready', version: VERSION });

      const closed = twin.close();
      const draining = await twin.call('GET', '/api/v1/readyz');
      expect([draining.status, draining.body.status]).toEqual([503, 'draining']);
      expect((await twin.call('GET', '/api/v1/livez')).status).toBe(200);
      expect(await closed).toBe(true);
      await expect(twin.call('GET', '/api/v1/livez')).rejects.toThrow();
    } finally {
      await gateway.close();
    }
  });

  it('without its broker a gateway is degraded and stays ready', async () => {
    const gateway = await startTestGateway();
    try {
      await gateway.broker.kill();
      const degraded = await eventually(async () => {
        const { status, body } = await gateway.call('GET', '/api/v1/health');
        return body.status === 'degraded' && { status, checks: body.checks };
      });
      expect(degraded).toEqual({ status: 200, checks: { database: 'ok', broker: 'failed' } });
      expect((await gateway.call('GET', '/api/v1/readyz')).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});
