import { createDrain } from '../lifecycle/drain.ts';
import type { HealthCheck } from './health.ts';
import { createProbes } from './probes.ts';
import { VERSION } from './version.ts';

const check = (name: HealthCheck['name'], essential: boolean, answers: boolean): HealthCheck => ({
  name,
  essential,
  check: () => (answers ? Promise.resolve() : Promise.reject(new Error('down'))),
});
const probesOf = (database: boolean, broker: boolean, isDraining = () => false) =>
  createProbes({ checks: [check('database', true, database), check('broker', false, broker)], isDraining });

describe('a process', () => {
  it.each([
    ['both servers answer', true, true, 200, 'ready', 200],
    ['only the broker is away', true, false, 200, 'ready', 200],
    ['the database is away', false, true, 503, 'not_ready', 503],
  ] as const)(
    'is live regardless of its dependencies; ready and healthy when %s: %s %s',
    async (_, database, broker, readyStatus, ready, healthStatus) => {
      const probes = probesOf(database, broker);
      expect(probes.live()).toEqual({ status: 200, body: { status: 'alive', version: VERSION } });
      expect(await probes.ready()).toEqual({ status: readyStatus, body: { status: ready, version: VERSION } });
      expect(await probes.health()).toMatchObject({ status: healthStatus, body: { version: VERSION } });
    },
  );

  it('is no longer ready as soon as it receives a stop request, while its port is still open', async () => {
    const drain = createDrain(0.01);
    const probes = probesOf(true, true, () => drain.isDraining());
    expect((await probes.ready()).status).toBe(200);
    const stopped = drain.stop?.();
    expect(await probes.ready()).toEqual({ status: 503, body: { status: 'draining', version: VERSION } });
    expect(probes.live().status).toBe(200);
    await stopped;
  });
});
