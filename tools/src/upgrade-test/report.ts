import type { LedgerSummary } from '../chaos/webhooks/ledger.ts';
import type { Tally } from './tally.ts';

export interface UpgradeFacts {
  readonly tally: Tally;
  readonly ledger: LedgerSummary;
  /** Number of requests of the dispatcher that have an invalid signature. */
  readonly refused: number;
}

const SHOWN = 10;
/** Name of the phase of the upgrade and the downgrade. */
export const UPGRADE = 'upgrade';
/** Maximum factor by which an upgrade may increase the latency of the slowest requests. */
const MAX_SLOWDOWN = 2;
/** Share of the requests that may at most be skipped. */
const MAX_SKIPPED = 0.01;

function countEach(reasons: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Prints the counts, and sets the exit code. */
export function report({ tally, ledger, refused }: UpgradeFacts): void {
  const phases = tally.summarize();
  console.log('\nPhase                           requests  repeated    p50 ms    p99 ms\n');
  for (const { phase, step, requests, repeated, p50Ms, p99Ms } of phases) {
    const cells = [requests, repeated, p50Ms.toFixed(1), p99Ms.toFixed(1)].map((cell) => String(cell).padStart(10));
    console.log(`${(step === undefined ? phase : `  ${step}`).padEnd(30)}${cells.join('')}`);
  }
  const wholes = phases.filter(({ step }) => step === undefined);
  const p99Of = (name: string): number => wholes.find(({ phase }) => phase === name)?.p99Ms ?? 0;
  const [before, during] = [p99Of('before'), p99Of(UPGRADE)];
  const line = (name: string, value: number | string): void =>
    console.log(`  ${name.padEnd(46)}${String(value).padStart(8)}`);
  console.log('');
  line('failed requests', tally.failures.length);
  line('requests skipped (too many in flight)', tally.readSkipped());
  line('wrong searches', tally.wrongSearches.length);
  line('events that the API accepted', ledger.emitted);
  line('lost events', ledger.lost);
  line('events with more than one id', ledger.splitIds);
  line('events delivered again (allowed)', ledger.duplicates);
  line('requests that could not be verified', refused);
  line('p99 during the upgrade, relative to before', (during / before).toFixed(2));
  for (const [reason, count] of countEach([...tally.failures, ...tally.wrongSearches]).slice(0, SHOWN))
    console.log(`  - ${count} times ${reason}`);
  const counts = [tally.failures.length, tally.wrongSearches.length, ledger.lost, ledger.splitIds, refused];
  const isBroken = counts.some((count) => count > 0) || ledger.emitted === 0;
  const asked = wholes.reduce((sum, { requests }) => sum + requests, tally.readSkipped());
  // A machine that is too slow for the rate skips most requests, and the remaining ones prove nothing about an upgrade
  // under load.
  const isShort = tally.readSkipped() > asked * MAX_SKIPPED;
  if (isShort) console.log('\n  too many requests were skipped: the rate was not maintained');
  const isSlow = during > MAX_SLOWDOWN * before;
  if (isSlow) console.log(`\n  the p99 during the upgrade is more than ${MAX_SLOWDOWN} times that before`);
  console.log(isBroken ? '\n  FAILED\n' : '\n  no request failed and no event was lost\n');
  if (isBroken || isSlow || isShort) process.exitCode = 1;
}
