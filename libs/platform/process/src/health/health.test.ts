import { install } from '@sinonjs/fake-timers';
import { reportHealth, type HealthCheck } from './health.ts';

const passing = () => Promise.resolve();
const failing = () => Promise.reject(new Error('down'));
const database = (check: HealthCheck['check']): HealthCheck => ({ name: 'database', essential: true, check });
const broker = (check: HealthCheck['check']): HealthCheck => ({ name: 'broker', essential: false, check });

describe('health', () => {
  it.each([
    ['healthy', passing, passing, { database: 'ok', broker: 'ok' }],
    ['degraded', passing, failing, { database: 'ok', broker: 'failed' }],
    ['unhealthy', failing, passing, { database: 'failed', broker: 'ok' }],
    ['unhealthy', failing, failing, { database: 'failed', broker: 'failed' }],
  ])('is %s by what answers', async (status, databaseCheck, brokerCheck, checks) => {
    expect(await reportHealth([database(databaseCheck), broker(brokerCheck)])).toEqual({ status, checks });
  });

  it('a check that throws at once has failed', async () => {
    const throwing = (): never => {
      throw new Error('not connected');
    };
    expect((await reportHealth([broker(throwing)])).status).toBe('degraded');
  });

  it('dependencies that never answer count as failed after two seconds, all of them together', async () => {
    const clock = install();
    try {
      const never = () => new Promise<void>(() => undefined);
      const report = reportHealth([database(never), broker(never)]);
      await clock.tickAsync(2000);
      expect(await report).toEqual({ status: 'unhealthy', checks: { database: 'failed', broker: 'failed' } });
      expect(clock.countTimers()).toBe(0);
    } finally {
      clock.uninstall();
    }
  });

  it('an answer leaves no timer behind', async () => {
    const clock = install();
    try {
      await reportHealth([database(passing), broker(failing)]);
      expect(clock.countTimers()).toBe(0);
    } finally {
      clock.uninstall();
    }
  });
});
