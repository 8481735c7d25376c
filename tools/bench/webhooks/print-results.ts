import { cpus } from 'node:os';
import { printTable } from '../print-table.ts';
import type { BacklogResult } from './measure-backlog.ts';
import type { EmitResult } from './measure-emit.ts';
import type { LatencyResult } from './measure-latency.ts';
import type { MemoryResult } from './measure-memory.ts';
import type { ThroughputResult } from './measure-throughput.ts';
import type { WaitingResult } from './measure-waiting.ts';
import type { BenchOptions } from './options.ts';

/**
 * Prints the throughput of all contenders.
 * @param ratioTo - Returns our rate as a multiple of another contender's
 */
export function printThroughput(
  { events, concurrency, runs }: BenchOptions,
  results: readonly ThroughputResult[],
  ratioTo: (name: string) => number,
): void {
  console.log(
    `\nThroughput: ${events} events, ${concurrency} posts at once, median of ${runs}, ${cpus().length} cores\n`,
  );
  printTable(
    ['contender', 'events/s', 'steward over it', 'us CPU each', 'Postgres', 'runs', 'lost', 'duplicates'],
    results.map(({ name, medianPerSecond, medianCpuMicroseconds, medianPostgresMicroseconds, ...result }) => [
      name,
      medianPerSecond,
      ratioTo(name),
      medianCpuMicroseconds,
      medianPostgresMicroseconds,
      result.ratesPerSecond.map((rate) => Math.round(rate)).join(' '),
      String(result.ledger.lost),
      String(result.ledger.duplicates),
    ]),
  );
}

export function printLatencies(title: string, rows: readonly (readonly [string, LatencyResult])[]): void {
  console.log(`\n${title}\n`);
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

export function printEmit({ without, withEvent }: EmitResult): void {
  console.log('\nA transaction with one insert, without and with an event for one endpoint, in turns (ms)\n');
  printTable(
    ['', 'p50', 'p99'],
    [
      ['without', without.p50, without.p99],
      ['with an event', withEvent.p50, withEvent.p99],
    ],
  );
}

export function printMemory({ samples }: MemoryResult): void {
  console.log('\nMemory of the dispatcher process after a warm-up of 30,000 deliveries (MB)\n');
  printTable(
    ['deliveries', 'resident', 'heap used'],
    samples.map(({ deliveries, rssMb, heapMb }) => [String(deliveries), rssMb, heapMb]),
  );
}

export function printBacklog(results: readonly BacklogResult[]): void {
  console.log('\nClaiming 50 and writing their 50 outcomes, by finished deliveries in the database (ms)\n');
  printTable(
    ['finished', 'claim p50', 'claim p99', 'settle p50', 'settle p99'],
    results.map((row) => [String(row.finishedRows), row.claimP50, row.claimP99, row.settleP50, row.settleP99]),
  );
}

export function printWaiting(results: readonly WaitingResult[]): void {
  console.log('\nClaiming 50, by endpoints with a delivery that waits (ms)\n');
  printTable(
    ['waiting', 'claim p50', 'claim p99', 'settle p50', 'settling claims'],
    results.map((row) => [
      String(row.waitingEndpoints),
      row.claimP50,
      row.claimP99,
      row.settleP50,
      String(row.settlingClaims),
    ]),
  );
}
