import { startFakeProvider } from '@steward/fake-provider';
import { releaseAfterAll, scaleLimit } from '@steward/testing';
import { demonstrateEvents } from '../demo/all-events.ts';
import { createSteps } from '../demo/steps.ts';
import { findSharedSuite, takeOutsidePort, type SharedSuite } from './shared-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);

describe('all events of the service', () => {
  const release = releaseAfterAll();
  let suite: SharedSuite;
  let origin: string;

  beforeAll(async () => {
    const provider = await startFakeProvider({ port: await takeOutsidePort() });
    release(() => provider.close());
    ({ origin } = provider);
    suite = await findSharedSuite();
  }, TIMEOUT_MS);

  it(
    'arrive at a receiver, signed, as documented (EVT-1, EVT-9)',
    async () => {
      const lines: string[] = [];
      const steps = createSteps((line) => lines.push(line));
      await demonstrateEvents(suite.api, origin, steps);
      expect(steps.failures).toEqual([]);
      expect(lines.filter((line) => line.includes('as documented')).length).toBeGreaterThanOrEqual(10);
    },
    TIMEOUT_MS,
  );
});
