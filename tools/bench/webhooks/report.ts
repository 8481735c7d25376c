import { median } from '../statistics.ts';
import type { BacklogResult } from './measure-backlog.ts';
import type { EmitResult } from './measure-emit.ts';
import type { FairnessPair, LatencyResult } from './measure-latency.ts';
import type { MemoryResult } from './measure-memory.ts';
import type { ThroughputResult } from './measure-throughput.ts';
import type { WaitingResult } from './measure-waiting.ts';
import type { BenchOptions } from './options.ts';
import * as print from './print-results.ts';
import { createVerdicts } from './verdicts.ts';

export interface Report {
  addThroughput(results: readonly ThroughputResult[]): void;
  addLatency(results: { readonly spread: LatencyResult; readonly one: LatencyResult }): void;
  addEmit(result: EmitResult): void;
  addMemory(result: MemoryResult): void;
  addFairness(pairs: readonly FairnessPair[]): void;
  addBacklog(results: readonly BacklogResult[]): void;
  addWaiting(results: readonly WaitingResult[]): void;
  printVerdict(): void;
  exitCode(): number;
}

const TARGETS = {
  ofRaw: 0.5,
  overRivals: 1.5,
  p50Ms: 15,
  p99Ms: 100,
  fairness: 1.5,
  emitMs: 1,
  growthMb: 20,
  waiting: 2,
} as const;

/** Prints each part as soon as it has been measured and, at the end, the targets next to the results. */
export function createReport(options: BenchOptions): Report {
  const verdicts = createVerdicts();
  const { ratePerSecond } = options;
  return {
    addThroughput(results) {
      const ratioTo = compareRates(results);
      print.printThroughput(options, results, ratioTo);
      for (const { ledger } of results) verdicts.addLedger(ledger);
      verdicts.atLeast('steward / raw undici loop', ratioTo('raw undici loop'), TARGETS.ofRaw);
      verdicts.atLeast('steward / pg-boss', ratioTo('pg-boss'), TARGETS.overRivals);
      verdicts.atLeast('steward / graphile-worker', ratioTo('graphile-worker'), TARGETS.overRivals);
    },
    addLatency({ spread, one }) {
      const results = [
        ['eight accounts', spread],
        ['one account', one],
      ] as const;
      const title = `Latency, emit to received, open loop at ${ratePerSecond}/s, default settings (ms)`;
      print.printLatencies(title, results);
      for (const [name, { ledger, p50, p99 }] of results) {
        verdicts.addLedger(ledger);
        verdicts.below(`p50 at ${ratePerSecond}/s, ${name} (ms)`, p50, TARGETS.p50Ms);
        verdicts.below(`p99 at ${ratePerSecond}/s, ${name} (ms)`, p99, TARGETS.p99Ms);
      }
    },
    addEmit(result) {
      print.printEmit(result);
      verdicts.below('what an emit adds to its transaction (ms)', result.added, TARGETS.emitMs);
    },
    addMemory(result) {
      print.printMemory(result);
      verdicts.below('growth over 100,000 deliveries, resident (MB)', result.rssGrowthMb, TARGETS.growthMb);
      verdicts.below('growth over 100,000 deliveries, heap used (MB)', result.heapGrowthMb, TARGETS.growthMb);
    },
    addFairness(pairs) {
      print.printLatencies(
        'Fairness, the 17 healthy of 20 endpoints, 200 deliveries/s, default settings (ms)',
        pairs.flatMap(({ alone, amongSick }) => [
          ['all healthy', alone] as const,
          ['one dead, one 9 s, one 500', amongSick] as const,
        ]),
      );
      for (const { alone, amongSick } of pairs) [alone, amongSick].forEach(({ ledger }) => verdicts.addLedger(ledger));
      verdicts.below('healthy p99, among sick / without', median(pairs.map(({ ratio }) => ratio)), TARGETS.fairness);
    },
    addBacklog: print.printBacklog,
    addWaiting(results) {
      print.printWaiting(results);
      const growth = (results.at(-1)?.claimP50 ?? Number.NaN) / (results[0]?.claimP50 ?? Number.NaN);
      verdicts.below('claim beside most / fewest waiting endpoints', growth, TARGETS.waiting);
    },
    printVerdict: () => verdicts.print(),
    exitCode: () => (verdicts.lostEvents() > 0 || (options.check && !verdicts.areMet()) ? 1 : 0),
  };
}

/**
 * Computes our rate as a multiple of a contender's. The ratio is computed within each run, and the median of the ratios
 * is used, since other load slows down both.
 */
function compareRates(results: readonly ThroughputResult[]): (name: string) => number {
  const ratesOf = (name: string): readonly number[] =>
    results.find((result) => result.name === name)?.ratesPerSecond ?? [];
  const ours = ratesOf('steward');
  return (name) => median(ratesOf(name).map((rate, run) => (ours[run] ?? Number.NaN) / rate));
}
