import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createCliRunner } from '../../e2e/run-cli.ts';
import { startSuite } from '../../e2e/start-suite.ts';
import { startThrowawayPostgres } from '../../servers/start-throwaway-postgres.ts';
import { runWithCleanup } from '../../servers/run-with-cleanup.ts';
import { startProgress } from '../../start-progress.ts';
import { createRandom } from '../random.ts';
import { breakListening } from './break-listening.ts';
import { readOptions } from './options.ts';

/** Runs `npm run chaos -- listen`: see `--help`. */
export async function runChaos(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const say = startProgress();
  await runWithCleanup(async (stops) => {
    say(`seed ${options.seed}, ${options.events} events, ${options.producers} producers`);
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    const suite = await startSuite({ ACCOUNT_RATE_PER_MINUTE: '10000000' });
    stops.push(() => suite.stop());
    const home = mkdtempSync(resolve(tmpdir(), 'steward-listen-'));
    stops.push(() => Promise.resolve(rmSync(home, { recursive: true, force: true })));
    const openCli = (apiKey: string) =>
      createCliRunner({ STEWARD_URL: suite.url, STEWARD_API_KEY: apiKey, XDG_CONFIG_HOME: home });
    const random = createRandom(options.seed);
    const result = await breakListening({ ...options, suite, openCli, random, freezesLong: true, say });
    say(JSON.stringify(result));
    if (result.lost > 0 || result.refused > 0) process.exitCode = 1;
  });
  say('done');
}
