import { VERSION } from '@steward/process';
import { eventually } from '@steward/testing';
import { startTestGateway } from '../../../testing/start-gateway.ts';

describe('the gateway’s health responses to orchestrators', () => {
  it('a gateway that is told to stop reports that it is not ready while its port is still open, then closes it', async () => {
    const environment: Record<string, string> = {};
    const gateway = await startTestGateway(environment);
    try {
      // A check that took too long on a busy machine counts as failed.
      const healthy = await eventually(async () => {
        const { status, body } = await gateway.call('GET', '/api/v1/health');
        return status === 200 && body.status === 'healthy' && body;
      });
      expect(healthy).toEqual({ status: 'healthy', checks: { database: 'ok', broker: 'ok' }, version: VERSION });
      expect((await gateway.call('GET', '/api/v1/livez')).body).toEqual({ status: 'alive', version: VERSION });
      // Applies only to the second process, whose port stays open longer than two requests take, even on a slow
      // machine.
      environment['SHUTDOWN_DRAIN_SECONDS'] = '15';
      const twin = await gateway.startTwin();
      const ready = await eventually(async () => {
        const { status, body } = await twin.call('GET', '/api/v1/readyz');
        return status === 200 && body;
      });
      expect(ready).toEqual({ status: 'ready', version: VERSION });

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

  it('a gateway without its broker is degraded and remains ready', async () => {
    const gateway = await startTestGateway();
    try {
      await gateway.broker.kill();
      const degraded = await eventually(async () => {
        const { status, body } = await gateway.call('GET', '/api/v1/health');
        return body.status === 'degraded' && { status, checks: body.checks };
      });
      expect(degraded).toEqual({ status: 200, checks: { database: 'ok', broker: 'failed' } });
      await eventually(async () => (await gateway.call('GET', '/api/v1/readyz')).status === 200);
    } finally {
      await gateway.close();
    }
  });
});
