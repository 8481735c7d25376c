import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../describe-error.ts';
import { runWithCleanup, type Stop } from '../../servers/run-with-cleanup.ts';
import { startProgress, type Say } from '../../start-progress.ts';
import { startPlace, type Place } from '../place/start-place.ts';
import { createRandom } from '../random.ts';
import type { Counts, RunningScenario } from '../scenarios/scenario.ts';
import { readOptions, type AllChaosOptions } from './options.ts';
import { FAULTS, SCENARIOS } from './parts.ts';
import { seedPair } from './plan.ts';
import { addLate, isBroken, renderSummary, type PairResult } from './summary.ts';

const HEALTHY_MS = 120_000;
/**
 * Longer than the two minutes after which the reservations of a killed process count as spent, plus the grace period of
 * the other processes.
 */
const LATE_MS = 240_000;
const LOOK_MS = 5000;

/** Runs `npm run chaos -- all`: see `--help`. */
export async function runChaos(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const say = startProgress();
  await runWithCleanup((stops) => run(options, say, stops));
  say('done');
  // A pair that was aborted may have left a receiver open.
  process.exit();
}

interface Tried {
  readonly result: PairResult;
  readonly running: RunningScenario | undefined;
}

async function run(options: AllChaosOptions, say: Say, stops: Stop[]): Promise<void> {
  say(`seed ${options.seed}, ${options.seconds.toFixed(1)} s for each fault`);
  const place = await startPlace(say, stops);
  say('the suite is up');
  const tried: Tried[] = [];
  for (const scenario of options.scenarios)
    for (const fault of options.faults) tried.push(await tryPair(place, { scenario, fault, ...options }, say));
  await place.suite.waitUntilHealthy(HEALTHY_MS).catch(() => undefined);
  say('no more faults; waiting for the counts that take minutes');
  const results = await countLate(tried);
  console.log(['', ...renderSummary(results), ''].join('\n'));
  const broken = results.filter(isBroken).length;
  console.log(broken === 0 ? '  no guarantee was violated\n' : `  FAILED: ${broken} of ${results.length}\n`);
  if (broken === 0) return;
  process.exitCode = 1;
  console.log(`  logs of the apps: ${keepLogs(place)}\n`);
}

interface Pair extends Pick<AllChaosOptions, 'seconds' | 'seed'> {
  readonly scenario: string;
  readonly fault: string;
}

/** Runs one scenario with one fault. An error becomes part of the result, so that the remaining pairs still run. */
async function tryPair(place: Place, pair: Pair, say: Say): Promise<Tried> {
  const scenario = SCENARIOS[pair.scenario];
  const fault = FAULTS[pair.fault];
  if (scenario === undefined || fault === undefined) throw new Error('there is no such scenario or fault');
  const names = { scenario: scenario.name, fault: fault.name };
  say(`${scenario.name}: ${fault.name}`);
  let running: RunningScenario | undefined;
  let faults = 0;
  try {
    await place.suite.waitUntilHealthy(HEALTHY_MS);
    running = await scenario.start(place);
    faults = await fault.inject({
      place,
      apps: scenario.apps,
      random: createRandom(seedPair(pair.seed, pair.scenario, pair.fault)),
      seconds: pair.seconds,
      say: (line) => say(`  ${line}`),
      ending: AbortSignal.timeout(pair.seconds * 1000),
    });
    const stopping = running.stop();
    // Awaited below, after the suite is healthy.
    stopping.catch(() => undefined);
    await place.suite.waitUntilHealthy(HEALTHY_MS);
    await stopping;
    const result = { ...names, faults, ...(await running.count()) };
    if (isBroken(result)) say(`  BROKEN: ${JSON.stringify(result.broken)}`);
    return { result, running };
  } catch (error) {
    say(`  BROKEN: ${describeError(error)}`);
    await running?.stop().catch(() => undefined);
    return { result: { ...names, faults, done: 0, broken: {}, error: describeError(error) }, running: undefined };
  }
}

/** Repeats the late counts, for a limited time, until they contain no violations. */
async function countLate(tried: readonly Tried[]): Promise<PairResult[]> {
  const deadline = Date.now() + LATE_MS;
  const results: PairResult[] = [];
  for (const { result, running } of tried) {
    let late: Counts | undefined;
    for (;;) {
      late = await running?.countLate?.().catch(() => undefined);
      const isOver = late !== undefined && Object.values(late.broken).every((count) => count === 0);
      if (running?.countLate === undefined || isOver || Date.now() > deadline) break;
      await delay(LOOK_MS);
    }
    if (late !== undefined) results.push(addLate(result, late));
    else if (running?.countLate === undefined) results.push(result);
    else results.push({ ...result, error: 'the counts that take minutes failed' });
  }
  return results;
}

function keepLogs(place: Place): string {
  const kept = mkdtempSync(resolve(tmpdir(), 'steward-chaos-logs-'));
  cpSync(place.suite.logDirectory, kept, { recursive: true });
  return kept;
}
