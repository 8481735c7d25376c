import type { RecordedToolCall } from '@steward/contracts';
import { compilePolicy } from '../../decision/rules/compile-policy.ts';
import type { BacktestTallies } from '../backtest.ts';
import { startCounts } from '../rules/tally-calls.ts';
import { tallyBatch } from './tally-batch.ts';

const NOTHING: BacktestTallies = {
  examined: 0,
  withoutArguments: 0,
  allowed: 0,
  denied: 0,
  held: 0,
  changed: 0,
  examples: [],
  counts: null,
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

  it('counts decisions before and after for each rule, also for rules that decide nothing (POL-35)', async () => {
    const rule = (id: string, action: 'allow' | 'deny' | 'require_approval', tool: string) => ({
      ...{ id, action },
      match: { tools: [tool] },
    });
    const compared = {
      before: compilePolicy(
        { version: '1', rules: [rule('old', 'deny', '*/read'), rule('both', 'allow', '*/drop')] },
        1,
      ),
      after: compilePolicy(
        { version: '1', rules: [rule('both', 'deny', '*/drop'), rule('idle', 'deny', 'none/none')] },
        0,
      ),
    };
    const { sums } = await tallyBatch({ ...NOTHING, counts: startCounts(compared) }, calls, compared, () => false);
    expect(sums.counts).toEqual({
      before: { allow: 1, deny: 4, require_approval: 0 },
      rules: [
        { rule_id: 'both', before: 1, after: 1, changed: 1 },
        { rule_id: 'idle', before: 0, after: 0, changed: 0 },
        { rule_id: null, before: 0, after: 4, changed: 4 },
        { rule_id: 'old', before: 4, after: 0, changed: 0 },
      ],
    });
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
