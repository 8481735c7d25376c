import { runWithCleanup } from '../../servers/run-with-cleanup.ts';
import { startThrowawayPostgres } from '../../servers/start-throwaway-postgres.ts';
import { startProgress } from '../../start-progress.ts';
import { breakSchedules, type ScheduleCounts } from './break-schedules.ts';
import { readOptions } from './options.ts';

/** Runs `npm run chaos -- schedules`: see `--help`. */
export async function runChaos(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const say = startProgress();
  say(`seed ${options.seed}, ${options.minutes} minutes, ${options.schedules} schedules`);
  await runWithCleanup(async (stops) => {
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    report(await breakSchedules(options, say));
  });
  say('done');
}

function report(books: ScheduleCounts): void {
  console.log('\nBooks\n');
  for (const [name, count] of Object.entries(books))
    console.log(`  ${name.replaceAll('_', ' ').padEnd(46)}${String(count).padStart(8)}`);
  const { missed, run_twice: twice, without_their_run: without, runs_without_due_time: stray, due_times: all } = books;
  const isBroken = missed + twice + without + stray > 0 || all === 0;
  console.log(isBroken ? '\n  FAILED\n' : '\n  0 missed, 0 twice\n');
  if (isBroken) process.exitCode = 1;
}
