import { withFakeTimers } from '@steward/async/testing';
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
  ])('is %s, depending on its dependencies', async (status, databaseCheck, brokerCheck, checks) => {
    expect(await reportHealth([database(databaseCheck), broker(brokerCheck)])).toEqual({ status, checks });
  });

  it('counts a check that throws as failed', async () => {
    const throwing = (): never => {
      throw new Error('not connected');
    };
    expect((await reportHealth([broker(throwing)])).status).toBe('degraded');
  });

  it('counts dependencies that never respond as failed after two seconds in total', async () => {
    await withFakeTimers(['setTimeout'], async (clock) => {
      const never = () => new Promise<void>(() => undefined);
      let isOver = false;
      const report = reportHealth([database(never), broker(never)]).finally(() => (isOver = true));
      await clock.tickAsync(1999);
      expect(isOver).toBe(false);
      await clock.tickAsync(1);
      expect(isOver).toBe(true);
      expect(await report).toEqual({ status: 'unhealthy', checks: { database: 'failed', broker: 'failed' } });
    });
  });

  it('leaves no timer behind', async () => {
    await withFakeTimers(['setTimeout'], async (clock) => {
      await reportHealth([database(passing), broker(failing)]);
      expect(clock.countTimers()).toBe(0);
    });
  });
});
