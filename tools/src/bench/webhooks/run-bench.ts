import { bundle } from '../../build/bundle-apps.ts';
import { startThrowawayPostgres } from '../../servers/start-throwaway-postgres.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureFairness, measureLatency } from './measure-latency.ts';
import { measureThroughput } from './measure-throughput.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { createReport, type Report } from './report.ts';
import { startSink, type Sink } from './start-sink.ts';

/** `npm run bench -- webhooks`: see `--help`. */
export async function runBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const startedAt = performance.now();
  const say = (line: string): void => {
    console.log(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${line}`);
  };
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  process.once('SIGINT', () => void stopAll().then(() => process.exit(130)));
  try {
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    await bundle(['webhook-dispatcher']);
    const sink = await startSink();
    stops.push(() => sink.stop());
    say(`servers are up: ${postgres.description}`);
    const report = createReport(options);
    await measure(options, sink, report, say);
    report.printVerdict();
    process.exitCode = report.exitCode();
  } finally {
    await stopAll();
  }
  say('done');
}

async function measure(options: BenchOptions, sink: Sink, report: Report, say: (line: string) => void): Promise<void> {
  const wants = (part: BenchOptions['parts'][number]): boolean => options.parts.includes(part);
  if (wants('throughput')) report.addThroughput(await measureThroughput(options, sink, say));
  if (wants('latency')) report.addLatency(await measureLatency(options, sink));
  if (wants('fairness')) report.addFairness(await measureFairness(options, sink));
  if (wants('backlog')) report.addBacklog(await measureBacklog(options.finishedRows, say));
}
