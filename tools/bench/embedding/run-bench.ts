import { resolve } from 'node:path';
import { bundle } from '../../src/build/bundle-apps.ts';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { startThrowawayPostgres } from '../../src/servers/start-throwaway-postgres.ts';
import { startProcess } from '../child-process.ts';
import { printTable } from '../print-table.ts';
import { median } from '../statistics.ts';
import { drainCorpus, type Drained } from './drain-corpus.ts';
import type { EmbeddingBenchOptions } from './options.ts';
import type {
  ProviderAnswer,
  ProviderCommand,
  ProviderFigures,
  RawLoopAnswer,
  RawLoopCommand,
} from './worker-messages.ts';

/** Minimum share of the allowed concurrent calls, and of the raw loop's throughput. */
const TARGET = 0.8;
const WORKERS = resolve(import.meta.dirname, 'workers');

interface Run {
  readonly raw: ProviderFigures;
  readonly steward: ProviderFigures;
  readonly drained: Drained;
  /** Time from the first call to the last stored vector. */
  readonly drainMs: number;
}

/** Runs `npm run bench -- embedding`: see `--help`. */
export async function runBench(options: EmbeddingBenchOptions): Promise<void> {
  await runWithCleanup(async (stops) => {
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    await bundle(['search-indexer']);
    const provider = startProcess<ProviderCommand, ProviderAnswer>(resolve(WORKERS, 'provider.ts'));
    stops.push(() => provider.stop());
    const { port } = await provider.waitFor('listening');
    const baseUrl = `http://127.0.0.1:${port}/v1`;

    async function measure<T>(
      work: () => Promise<T>,
    ): Promise<{ readonly figures: ProviderFigures; readonly result: T }> {
      provider.send({ kind: 'reset', delayMs: options.delayMs, width: options.width });
      await provider.waitFor('ready');
      const result = await work();
      provider.send({ kind: 'report' });
      return { figures: (await provider.waitFor('report')).figures, result };
    }
    const runs: Run[] = [];
    for (let run = 1; run <= options.runs; run += 1) {
      const { figures: raw } = await measure(() => loopRaw(baseUrl, options));
      const { figures: steward, result: drained } = await measure(() =>
        drainCorpus(baseUrl, options, postgres.pid ?? 0),
      );
      runs.push({ raw, steward, drained, drainMs: drained.storedAt - steward.firstAt });
      console.log(
        `run ${run}: raw ${Math.round(raw.durationMs)} ms, steward ${Math.round(drained.storedAt - steward.firstAt)} ms`,
      );
    }
    process.exitCode = report(runs, options);
  });
}

async function loopRaw(baseUrl: string, { concurrency, batchSize, chunks }: EmbeddingBenchOptions): Promise<void> {
  const loop = startProcess<RawLoopCommand, RawLoopAnswer>(resolve(WORKERS, 'raw-loop.ts'));
  try {
    loop.send({ baseUrl, concurrency, batchSize, chunks });
    await loop.waitFor('done');
  } finally {
    await loop.stop();
  }
}

function report(runs: readonly Run[], { chunks, concurrency, check }: EmbeddingBenchOptions): number {
  const line = (name: string, figures: readonly ProviderFigures[], durations: readonly number[]) => {
    const inFlight = median(figures.map(({ meanInFlight }) => meanInFlight));
    const duration = median(durations);
    return [name, median(figures.map(({ calls }) => calls)), duration, (chunks / duration) * 1000, inFlight] as const;
  };
  printTable(
    ['', 'calls', 'ms', 'chunks/s', 'calls in flight'],
    [
      line('raw loop', runs.map(({ raw }) => raw), runs.map(({ raw }) => raw.durationMs)), // prettier-ignore
      line('steward', runs.map(({ steward }) => steward), runs.map(({ drainMs }) => drainMs)), // prettier-ignore
    ],
  );
  const share = median(runs.map(({ steward }) => steward.meanInFlight)) / concurrency;
  const ratio = median(runs.map(({ raw, drainMs }) => raw.durationMs / drainMs));
  const isMet = ratio >= TARGET;
  console.log(`calls in flight: ${share.toFixed(2)} of the limit of ${concurrency}`);
  console.log(
    `of the raw loop's speed, in the same run: ${ratio.toFixed(2)} (at least ${TARGET}): ${isMet ? 'met' : 'missed'}`,
  );
  const perCall = (read: (drained: Drained) => number): string =>
    median(runs.map(({ drained, steward }) => read(drained) / steward.calls)).toFixed(1);
  console.log(
    `processor time per call, starts included: indexer ${perCall((each) => each.indexerCpuMs)} ms, Postgres ${perCall((each) => each.postgresCpuMs)} ms`,
  );
  const excess = Math.max(...runs.map(({ steward }) => steward.inputs)) - chunks;
  if (excess > 0) console.log(`embedded twice: ${excess} chunks`);
  return excess > 0 || (check && !isMet) ? 1 : 0;
}
