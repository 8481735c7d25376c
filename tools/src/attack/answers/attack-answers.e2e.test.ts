import {
  isTriedToday,
  QUICK_BOMB_KINDS,
  releaseAfterAll,
  scaleLimit,
  startBombServer,
  type BombServer,
} from '@steward/testing';
import { startSuiteOf, type Suite } from '../../e2e/start-suite.ts';
import { START_TIMEOUT_MS } from '../../e2e/suite-apps.ts';
import { GROWTH_MB } from '../bombs/attack-requests.ts';
import { allowBombs } from '../target.ts';
import { attackAnswers } from './attack-answers.ts';

/** Number of days within which each kind is tested at all of the eight surfaces: each day at one of them. */
const DAYS = 8;

describe('malicious responses that use memory and time', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let bombs: BombServer;
  beforeAll(async () => {
    bombs = await startBombServer();
    release(() => bombs.close());
    suite = await startSuiteOf(['api-gateway'], {
      REGISTRATION_ENABLED: 'true',
      ACCOUNT_RATE_PER_MINUTE: '1000000',
      ...allowBombs(bombs),
    });
    release(suite.stop);
  }, START_TIMEOUT_MS);

  // `npm run attack` on an otherwise idle machine also tests endless responses and the latency of other requests.
  it(
    'increase the memory of the gateway only by a bounded amount and make no other request fail, on every server of an account',
    async () => {
      const target = {
        url: suite.url,
        databaseUrl: suite.database.url,
        gatewayPid: suite.readPid('api-gateway') ?? 0,
        bombs,
      };
      const { tried, breaches } = await attackAnswers(target, {
        kinds: QUICK_BOMB_KINDS,
        isTried: (kind, surface) => isTriedToday(kind + surface, DAYS),
        growthMb: GROWTH_MB,
        timeoutMs: 1000,
      });
      expect(breaches).toEqual([]);
      expect(tried).toBeGreaterThan(140 / DAYS);
    },
    scaleLimit(600_000),
  );
});
