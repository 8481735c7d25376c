import { useFolder } from '@steward/testing';
import { breakListening } from '../chaos/listen/break-listening.ts';
import { createRandom } from '../chaos/random.ts';
import { createCliRunner } from './run-cli.ts';
import { startSuiteOf, type Suite } from './start-suite.ts';

describe('events for a listener (HOOK-45)', () => {
  const home = useFolder();
  let suite: Suite;
  beforeAll(async () => {
    suite = await startSuiteOf(['api-gateway', 'webhook-dispatcher'], { ACCOUNT_RATE_PER_MINUTE: '10000000' });
  });
  afterAll(() => suite.stop());

  it('all reach the local program, even if the gateway and the command are killed, stopped and frozen', async () => {
    const openCli = (apiKey: string) =>
      createCliRunner({ STEWARD_URL: suite.url, STEWARD_API_KEY: apiKey, XDG_CONFIG_HOME: home() });
    const run = { suite, openCli, events: 200, producers: 3, random: createRandom(1), freezesLong: false };
    const result = await breakListening({ ...run, say: () => undefined });
    expect(result).toMatchObject({ lost: 0, splitIds: 0, refused: 0 });
    expect(result.emitted).toBeGreaterThanOrEqual(200);
    expect(result.faults).toBeGreaterThanOrEqual(4);
  });
});
