import { cpus } from 'node:os';
import { printTable } from '../print-table.ts';
import { median } from '../statistics.ts';
import type { BacklogResult } from './measure-backlog.ts';
import type { EmitResult } from './measure-emit.ts';
import type { FairnessPair, LatencyResult } from './measure-latency.ts';
import type { MemoryResult } from './measure-memory.ts';
import type { ThroughputResult } from './measure-throughput.ts';
import type { BenchOptions } from './options.ts';
import type { Ledger } from './reconcile.ts';

export interface Report {
  addThroughput(results: readonly ThroughputResult[]): void;
  addLatency(results: { readonly spread: LatencyResult; readonly one: LatencyResult }): void;
  addEmit(result: EmitResult): void;
  addMemory(result: MemoryResult): void;
  addFairness(pairs: readonly FairnessPair[]): void;
  addBacklog(results: readonly BacklogResult[]): void;
  printVerdict(): void;
  exitCode(): number;
}

interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly target: string;
  readonly met: boolean;
}

const TARGETS = { ofRaw: 0.5, overRivals: 1.5, p50Ms: 15, p99Ms: 100, fairness: 1.5, emitMs: 1, growthMb: 20 } as const;

/** Prints each part as it is measured, and in the end what was promised beside what was found. */
export function createReport(options: BenchOptions): Report {
  const verdicts: Verdict[] = [];
  let lost = 0;

  function addLedger(ledger: Ledger): void {
    lost += ledger.lost;
  }
  function atLeast(what: string, measured: number, target: number): void {
    verdicts.push({ what, measured, target: `>= ${target}`, met: measured >= target });
  }
  function below(what: string, measured: number, target: number): void {
    verdicts.push({ what, measured, target: `< ${target}`, met: measured < target });
  }

  return {
    addThroughput(results) {
      const ratesOf = (name: string): readonly number[] =>
        results.find((result) => result.name === name)?.ratesPerSecond ?? [];
      const ours = ratesOf('steward');
      // Within each run, then the median: what slowed the machine down slowed both.
      const ratioTo = (name: string): number =>
        median(ratesOf(name).map((rate, run) => (ours[run] ?? Number.NaN) / rate));
      console.log(
        `\nThroughput: ${options.events} events, ${options.concurrency} posts at once, median of ${options.runs}, ${cpus().length} cores\n`,
      );
      printTable(
        ['contender', 'events/s', 'steward over it', 'us CPU each', 'Postgres', 'runs', 'lost', 'duplicates'],
        results.map(
          ({ name, medianPerSecond, medianCpuMicroseconds, medianPostgresMicroseconds, ratesPerSecond, ledger }) => [
            name,
            medianPerSecond,
            ratioTo(name),
            medianCpuMicroseconds,
            medianPostgresMicroseconds,
            ratesPerSecond.map((rate) => Math.round(rate)).join(' '),
            String(ledger.lost),
            String(ledger.duplicates),
          ],
        ),
      );
      for (const { ledger } of results) addLedger(ledger);
      atLeast('steward / raw undici loop', ratioTo('raw undici loop'), TARGETS.ofRaw);
      atLeast('steward / pg-boss', ratioTo('pg-boss'), TARGETS.overRivals);
      atLeast('steward / graphile-worker', ratioTo('graphile-worker'), TARGETS.overRivals);
    },
    addLatency({ spread, one }) {
      console.log(`\nLatency, emit to received, open loop at ${options.ratePerSecond}/s, default settings (ms)\n`);
      const results = [
        ['eight accounts', spread],
        ['one account', one],
      ] as const;
      printLatencies(results);
      for (const [name, result] of results) {
        addLedger(result.ledger);
        below(`p50 at ${options.ratePerSecond}/s, ${name} (ms)`, result.p50, TARGETS.p50Ms);
        below(`p99 at ${options.ratePerSecond}/s, ${name} (ms)`, result.p99, TARGETS.p99Ms);
      }
    },
    addEmit({ without, withEvent, added }) {
      console.log('\nA transaction with one insert, without and with an event for one endpoint, in turns (ms)\n');
      printTable(
        ['', 'p50', 'p99'],
        [
          ['without', without.p50, without.p99],
          ['with an event', withEvent.p50, withEvent.p99],
        ],
      );
      below('what an emit adds to its transaction (ms)', added, TARGETS.emitMs);
    },
    addMemory({ samples, rssGrowthMb, heapGrowthMb }) {
      console.log('\nMemory of the dispatcher process after a warm-up of 30,000 deliveries (MB)\n');
      printTable(
        ['deliveries', 'resident', 'heap used'],
        samples.map(({ deliveries, rssMb, heapMb }) => [String(deliveries), rssMb, heapMb]),
      );
      below('growth over 100,000 deliveries, resident (MB)', rssGrowthMb, TARGETS.growthMb);
      below('growth over 100,000 deliveries, heap used (MB)', heapGrowthMb, TARGETS.growthMb);
    },
    addFairness(pairs) {
      console.log('\nFairness, the 17 healthy of 20 endpoints, 200 deliveries/s, default settings (ms)\n');
      printLatencies(
        pairs.flatMap(({ alone, amongSick }) => [
          ['all healthy', alone],
          ['one dead, one 9 s, one 500', amongSick],
        ]),
      );
      for (const { alone, amongSick } of pairs) {
        addLedger(alone.ledger);
        addLedger(amongSick.ledger);
      }
      below('healthy p99, among sick / without', median(pairs.map(({ ratio }) => ratio)), TARGETS.fairness);
    },
    addBacklog(results) {
      console.log('\nClaiming 50 and writing their 50 outcomes, by finished deliveries in the database (ms)\n');
      printTable(
        ['finished', 'claim p50', 'claim p99', 'settle p50', 'settle p99'],
        results.map((row) => [String(row.finishedRows), row.claimP50, row.claimP99, row.settleP50, row.settleP99]),
      );
    },
    printVerdict() {
      console.log('\nTargets\n');
      printTable(
        ['', 'measured', 'target', ''],
        verdicts.map(({ what, measured, target, met }) => [what, measured, target, met ? 'met' : 'MISSED']),
      );
      console.log(lost === 0 ? '\n  every event arrived' : `\n  LOST: ${lost} events`);
    },
    exitCode: () => (lost > 0 || (options.check && verdicts.some(({ met }) => !met)) ? 1 : 0),
  };
}

function printLatencies(rows: readonly (readonly [string, LatencyResult])[]): void {
  printTable(
    ['', 'p50', 'p99', 'max', 'of it emit p50', 'lost', 'duplicates'],
    rows.map(([name, { p50, p99, max, emitP50, ledger }]) => [
      name,
      p50,
      p99,
      max,
      emitP50,
      String(ledger.lost),
      String(ledger.duplicates),
    ]),
  );
}
