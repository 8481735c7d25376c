import type { RecordedToolCall } from '@steward/contracts';
import { compilePolicy } from '../../decision/rules/compile-policy.ts';
import type { BacktestTallies } from '../backtest.ts';
import { tallyBatch } from './tally-batch.ts';

const NOTHING: BacktestTallies = {
  examined: 0,
  withoutArguments: 0,
  allowed: 0,
  denied: 0,
  held: 0,
  changed: 0,
  examples: [],
};
const calls = Array.from({ length: 5 }, (_, index): RecordedToolCall => ({
  id: `c${index}`,
  sessionId: 's',
  occurredAt: new Date('2026-10-01T00:00:00Z'),
  toolName: index === 0 ? 'drop' : 'read',
  arguments: {},
  session: { sourceType: 'ci' },
  agent: undefined,
  apiKeyId: null,
  execution: undefined,
}));
const policies = {
  before: undefined,
  after: compilePolicy({ version: '1', rules: [{ id: 'no-drop', action: 'deny', match: { tools: ['*/drop'] } }] }, 1),
};

describe('a backtest batch (POL-22)', () => {
  it('ends after the call during which its time runs out; the next batch continues from there', async () => {
    let left = 2;
    const first = await tallyBatch(NOTHING, calls, policies, () => (left -= 1) === 0);
    expect(first).toMatchObject({ tried: 2, sums: { examined: 2, denied: 1, allowed: 1, changed: 1 } });
    const rest = await tallyBatch(first.sums, calls.slice(first.tried), policies, () => false);
    expect(rest).toMatchObject({ tried: 3, sums: { examined: 5, denied: 1, allowed: 4, changed: 1 } });
  });

  it('evaluates at least one call, even if no time is left', async () => {
    expect(await tallyBatch(NOTHING, calls, policies, () => true)).toMatchObject({ tried: 1 });
    expect(await tallyBatch(NOTHING, [], policies, () => true)).toMatchObject({ tried: 0, sums: NOTHING });
  });

  it('yields to other tasks after each call', async () => {
    const seen: number[] = [];
    let done = 0;
    const other = (): void => {
      seen.push(done);
      if (done < calls.length) setImmediate(other);
    };
    setImmediate(other);
    await tallyBatch(NOTHING, calls, policies, () => ((done += 1), false));
    expect(new Set(seen).size).toBeGreaterThanOrEqual(calls.length - 1);
  });
});
