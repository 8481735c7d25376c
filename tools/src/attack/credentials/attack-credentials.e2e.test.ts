import { isTriedToday, releaseAfterAll, scaleLimit } from '@steward/testing';
import { startSuiteOf, type Suite } from '../../e2e/start-suite.ts';
import { START_TIMEOUT_MS } from '../../e2e/suite-apps.ts';
import { attackCredentials } from './attack-credentials.ts';

/** All invalid credentials are tried on every route within this number of days. */
const DAYS = 3;

describe('every route, called with every forbidden credential', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  beforeAll(async () => {
    suite = await startSuiteOf(['api-gateway', 'flow-trigger'], {
      REGISTRATION_ENABLED: 'true',
      ACCOUNT_RATE_PER_MINUTE: '1000000',
      // This is the edition with every route.
      SERVICE_EDITION: 'enterprise',
    });
    release(suite.stop);
  }, START_TIMEOUT_MS);

  it(
    'refuses all of them, and no governed data changes',
    async () => {
      const isTried = (number: number): boolean => isTriedToday(number, DAYS);
      const report = await attackCredentials({ url: suite.url, databaseUrl: suite.database.url, isTried });
      expect(report.breaches).toEqual([]);
      expect(report.tried).toBeGreaterThan(2000);
    },
    scaleLimit(600_000),
  );
});
