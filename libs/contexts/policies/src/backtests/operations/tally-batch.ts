import { setImmediate } from 'node:timers/promises';
import type { RecordedToolCall } from '@steward/contracts';
import type { BacktestTallies } from '../backtest.ts';
import { tallyCall, type ComparedPolicies } from '../rules/tally-calls.ts';

/**
 * Tallies calls one by one, at least one, until enough time has passed. A decision may take a fifth of a second, so
 * other requests are served in between.
 */
export async function tallyBatch(
  from: BacktestTallies,
  calls: readonly RecordedToolCall[],
  policies: ComparedPolicies,
  isSpent: () => boolean,
): Promise<{ readonly sums: BacktestTallies; readonly tried: number }> {
  let sums = from;
  let tried = 0;
  for (const call of calls) {
    sums = tallyCall(sums, call, policies);
    tried += 1;
    await setImmediate();
    if (isSpent()) break;
  }
  return { sums, tried };
}
