import { bundle } from '../../src/build/bundle-apps.ts';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { startThrowawayPostgres } from '../../src/servers/start-throwaway-postgres.ts';
import { startProgress } from '../../src/start-progress.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureEmit } from './measure-emit.ts';
import { measureFairness, measureLatency, type FairnessPair } from './measure-latency.ts';
import { measureMemory } from './measure-memory.ts';
import { measureThroughput } from './measure-throughput.ts';
import { measureWaiting } from './measure-waiting.ts';
import type { BenchOptions } from './options.ts';
import { createReport, type Report } from './report.ts';
import { startSink, type Sink } from './start-sink.ts';

/** Runs `npm run bench -- webhooks`: see `--help`. */
export async function runBench(options: BenchOptions): Promise<void> {
  const say = startProgress();
  await runWithCleanup(async (stops) => {
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    await bundle(['webhook-dispatcher']);
    const sink = await startSink();
    stops.push(() => sink.stop());
    say(`servers are up: ${postgres.description}`);
    const report = createReport(options);
    await measure(options, { sink, postgresPid: postgres.pid ?? 0 }, report, say);
    report.printVerdict();
    process.exitCode = report.exitCode();
  });
  say('done');
}

async function measure(
  options: BenchOptions,
  servers: { readonly sink: Sink; readonly postgresPid: number },
  report: Report,
  say: (line: string) => void,
): Promise<void> {
  const { sink } = servers;
  const wants = (part: BenchOptions['parts'][number]): boolean => options.parts.includes(part);
  if (wants('throughput')) report.addThroughput(await measureThroughput(options, servers, say));
  if (wants('latency')) report.addLatency(await measureLatency(options, sink));
  if (wants('emit')) report.addEmit(await measureEmit());
  if (wants('memory')) report.addMemory(await measureMemory(sink, say));
  if (wants('fairness')) {
    const pairs: FairnessPair[] = [];
    for (let run = 1; run <= options.runs; run += 1) {
      const pair = await measureFairness(options, sink);
      say(`fairness ${run}: p99 ${Math.round(pair.alone.p99)} ms, among sick ${Math.round(pair.amongSick.p99)} ms`);
      pairs.push(pair);
    }
    report.addFairness(pairs);
  }
  if (wants('backlog')) {
    report.addWaiting(await measureWaiting(options.waitingEndpoints, say));
    report.addBacklog(await measureBacklog(options.finishedRows, say));
  }
}
