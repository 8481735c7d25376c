import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHealthServer } from './health-server.ts';
import type { HealthCheck } from './health.ts';
import { createMetrics } from './metrics.ts';
import { createProbes } from './probes.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import { VERSION } from './version.ts';

async function withServer(checks: readonly HealthCheck[], act: (base: string) => Promise<void>): Promise<void> {
  const metrics = createMetrics('test');
  const probes = createProbes({ checks, isDraining: () => false });
  const server = createHealthServer({ host: '127.0.0.1', port: 0, probes, metrics, activity: () => ({ handled: 3 }) });
  await server.start?.();
  try {
    await act(`http://127.0.0.1:${server.port()}`);
  } finally {
    await server.stop?.();
  }
}

const check = (name: HealthCheck['name'], essential: boolean, answers: boolean): HealthCheck => ({
  name,
  essential,
  check: () => (answers ? Promise.resolve() : Promise.reject(new Error('down'))),
});

describe('the health port of a worker', () => {
  it.each([
    [true, true, 200, 'healthy'],
    [true, false, 200, 'degraded'],
    [false, true, 503, 'unhealthy'],
  ])('database %s, broker %s: %i %s', async (database, broker, status, text) => {
    await withServer([check('database', true, database), check('broker', false, broker)], async (base) => {
      const response = await fetch(`${base}/api/v1/health?x=1`);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ status: text, version: VERSION, activity: { handled: 3 } });
      const [live, ready] = await Promise.all([fetch(`${base}/livez`), fetch(`${base}/readyz`)]);
      expect([live.status, ready.status]).toEqual([200, status]);
      expect(await live.json()).toEqual({ status: 'alive', version: VERSION });
    });
  });

  it('serves metrics, and responds to any other request with an error body', async () => {
    await withServer([], async (base) => {
      expect(await (await fetch(`${base}/metrics`)).text()).toContain('process_cpu_seconds_total');
      const [missing, posted] = await Promise.all([
        fetch(`${base}/health`),
        fetch(`${base}/metrics`, { method: 'POST' }),
      ]);
      expect([missing.status, posted.status]).toEqual([404, 405]);
      expect(await missing.json()).toMatchObject({ detail: { code: 'not_found' } });
    });
  });

  it('a port in use prevents the start with a line that names the variable', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const probes = createProbes({ checks: [], isDraining: () => false });
    const server = createHealthServer({ host: '127.0.0.1', port, probes, metrics: createMetrics('test') });
    const failure = await Promise.resolve(server.start?.()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(new RegExp(`port ${port} on 127.0.0.1 is already in use.*HEALTH_PORT`));
    taken.close();
  });
});
