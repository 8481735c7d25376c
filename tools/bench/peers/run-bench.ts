import { availableParallelism, loadavg } from 'node:os';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { startThrowawayPostgres } from '../../src/servers/start-throwaway-postgres.ts';
import { startProgress } from '../../src/start-progress.ts';
import { bundle } from '../../src/build/bundle-apps.ts';
import type { CollectFigure, Figure } from '../collect-figures.ts';
import { readOptions as readGatewayOptions } from '../gateway/options.ts';
import { measureGateway } from '../gateway/run-bench.ts';
import { printTable } from '../print-table.ts';
import { readOptions as readSearchOptions } from '../search/options.ts';
import { compareSearches } from '../search/run-bench.ts';
import { measureTriggers } from '../triggers/run-bench.ts';
import { measureThroughput } from '../webhooks/measure-throughput.ts';
import { readOptions as readDeliveryOptions } from '../webhooks/options.ts';
import { startSink } from '../webhooks/start-sink.ts';
import { measureApps } from './measure-apps.ts';
import { listRows } from './list-rows.ts';
import type { Area, PeerBenchOptions } from './options.ts';

/** Runs `npm run bench -- peers`: see `--help`. */
export async function runBench(options: PeerBenchOptions): Promise<void> {
  const [busy = 0] = loadavg();
  const tables: (readonly [Area, readonly Figure[]])[] = [];
  for (const area of options.areas) {
    const figures: Figure[] = [];
    try {
      await MEASURES[area](options, (figure) => figures.push(figure));
    } catch (error) {
      console.error(`${area} could not be measured:`, error);
      process.exitCode = 1;
    }
    tables.push([area, figures]);
  }
  console.log(
    `\n${availableParallelism()} processors shared by everything; load ${busy.toFixed(1)} before the start${options.isShort ? '; a short run: no figures to publish' : ''}\n`,
  );
  printTable(
    ['area', 'measure', 'steward', 'peer', 'of the peer', 'steward / peer'],
    tables.flatMap(([area, figures]) => listRows(area, figures)),
  );
}

type Measure = (options: PeerBenchOptions, collect: CollectFigure) => Promise<void>;

const MEASURES: Readonly<Record<Area, Measure>> = {
  models: ({ isShort, withPortkey }, collect) =>
    measureGateway(
      {
        ...readGatewayOptions([]),
        ...{ withPortkey, rounds: isShort ? 1 : 5, share: isShort ? 0.1 : 1, withStreams: false },
      },
      collect,
    ),
  deliveries: ({ isShort }, collect) =>
    measureDeliveries(isShort ? ['--events', '200', '--runs', '1'] : ['--runs', '5'], collect),
  triggers: ({ isShort, withN8n }, collect) =>
    measureTriggers({ withN8n, rounds: isShort ? 1 : 5, roundSeconds: isShort ? 1 : 4, onlyRates: true }, collect),
  search: ({ isShort }, collect) =>
    compareSearches(readSearchOptions(isShort ? ['--chunks', '5k'] : []), isShort ? 5 : 60, collect),
  apps: (_options, collect) => measureApps(collect),
};

async function measureDeliveries(args: readonly string[], collect: CollectFigure): Promise<void> {
  const say = startProgress();
  await runWithCleanup(async (stops) => {
    const postgres = await startThrowawayPostgres();
    stops.push(() => postgres.stop());
    await bundle(['webhook-dispatcher']);
    const sink = await startSink();
    stops.push(() => sink.stop());
    const results = await measureThroughput(readDeliveryOptions(args), { sink, postgresPid: postgres.pid ?? 0 }, say);
    for (const { name: contender, medianPerSecond, medianCpuMicroseconds } of results) {
      collect({ measure: 'deliveries: a second', contender, value: medianPerSecond });
      collect({ measure: 'deliveries: processor us of the worker', contender, value: medianCpuMicroseconds });
    }
  });
}
