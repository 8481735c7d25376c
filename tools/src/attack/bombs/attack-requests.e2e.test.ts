import { isTriedToday, releaseAfterAll, scaleLimit, sizeCampaign } from '@steward/testing';
import { startSuiteOf, type Suite } from '../../e2e/start-suite.ts';
import { START_TIMEOUT_MS } from '../../e2e/suite-apps.ts';
import { attackRequests, GROWTH_MB } from './attack-requests.ts';
import { REQUEST_BOMBS } from './request-bombs.ts';

/** Number of days within which each bomb for models is sent to all of the five paths: each day to one of them. */
const DAYS = 5;
const MOST_TIMES = sizeCampaign({ daily: 5, full: 20 });

describe('malicious requests that use memory and time', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  beforeAll(async () => {
    suite = await startSuiteOf(['api-gateway'], { REGISTRATION_ENABLED: 'true' });
    release(suite.stop);
  }, START_TIMEOUT_MS);

  // `npm run attack` on an otherwise idle machine also measures the latency of other requests.
  it(
    'are refused on every protocol because of a limit, and the memory of the gateway grows only by a bounded amount',
    async () => {
      const gatewayPid = suite.readPid('api-gateway') ?? 0;
      const target = { url: suite.url, gatewayPid };
      const bombs = REQUEST_BOMBS.filter(
        ({ isRepeated }, number) => isRepeated !== true || isTriedToday(number, DAYS),
      ).map((bomb) => ({ ...bomb, times: Math.min(bomb.times, MOST_TIMES) }));
      const { tried, breaches } = await attackRequests(target, { growthMb: GROWTH_MB, bombs });
      expect(breaches).toEqual([]);
      expect(tried).toBeGreaterThanOrEqual(40);
    },
    scaleLimit(600_000),
  );
});
