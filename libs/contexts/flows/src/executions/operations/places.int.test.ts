import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import type { FlowRow } from '../../schema.ts';
import { openFlows, type OpenFlows } from '../../testing/open-flows.ts';

let suite: OpenFlows;
const flows: FlowRow[] = [];
beforeAll(async () => {
  suite = await openFlows();
  for (let index = 0; index < 3; index += 1) flows.push(await suite.addFlow());
  // The flows are sorted by account id, as in the database, where accounts with equally many runs take turns.
  flows.sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
});
beforeEach(() => sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite.admin));
afterAll(() => suite.close());

interface Waiting {
  readonly id: string;
  readonly account: number;
}
interface Running extends Waiting {
  readonly worker: string;
}
interface Limits {
  readonly accountLimit: number;
  readonly places: number;
}

/** Returns the next execution for a worker, according to EXEC-4; undefined if there is none. */
function choose(
  waiting: readonly Waiting[],
  running: readonly Running[],
  { worker, servedLast, accountLimit, places }: Limits & { worker: string; servedLast: number | undefined },
): Waiting | undefined {
  const count = (account: number, at?: string): number =>
    running.filter((each) => each.account === account && (at === undefined || each.worker === at)).length;
  const turn = (account: number): number => (account - (servedLast ?? -1) - 1 + 3) % 3;
  const [first] = [...new Set(waiting.map(({ account }) => account))]
    .filter((account) => count(account) < accountLimit && count(account, worker) < Math.max(places - 1, 1))
    .sort((a, b) => count(a) - count(b) || turn(a) - turn(b));
  return waiting.find(({ account }) => account === first);
}

const history = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), account: fc.nat(2) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), worker: fc.constantFrom('one', 'two') }) },
  ),
  { minLength: 6, maxLength: 24 },
);
const limits = fc.record({ accountLimit: fc.integer({ min: 1, max: 4 }), places: fc.integer({ min: 1, max: 4 }) });

describe('the account that gets the next slot (EXEC-4)', () => {
  it('is chosen according to the rule, for any accounts, limits and workers', async () => {
    await fc.assert(
      fc.asyncProperty(history, limits, async (moves, limit) => {
        await sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite.admin);
        let waiting: Waiting[] = [];
        const running: Running[] = [];
        const servedLast = new Map<string, number>();
        for (const move of moves) {
          if (move.kind === 'start') {
            suite.clock.advance(1000);
            const { id } = await suite.start(flows[move.account] as FlowRow);
            waiting.push({ id, account: move.account });
            continue;
          }
          const { worker } = move;
          const last = servedLast.get(worker);
          const expected = choose(waiting, running, { ...limit, worker, servedLast: last });
          const claimed = await suite.claim({
            ...limit,
            workerId: worker,
            servedLast: last === undefined ? undefined : flows[last]?.account_id,
          });
          expect(claimed?.execution.id).toBe(expected?.id);
          if (expected === undefined) continue;
          waiting = waiting.filter(({ id }) => id !== expected.id);
          running.push({ ...expected, worker });
          servedLast.set(worker, expected.account);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('does not have to wait, however many executions of another account are pending', async () => {
    const [busy, quiet] = [flows[0] as FlowRow, flows[1] as FlowRow];
    for (let index = 0; index < 8; index += 1) await suite.start(busy);
    await suite.claim();
    suite.clock.advance(1000);
    const late = await suite.start(quiet);
    expect((await suite.claim())?.execution.id).toBe(late.id);
  });

  it('does not exceed its limit across all workers, under simultaneous requests', async () => {
    const [flow] = flows as [FlowRow];
    for (let index = 0; index < 6; index += 1) await suite.start(flow);
    const claims = await Promise.all(
      Array.from({ length: 6 }, (_, worker) => suite.claim({ accountLimit: 2, workerId: `worker-${worker}` })),
    );
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(2);
  });

  it('is not chosen for an execution that the worker could not start, but other workers can get that execution', async () => {
    const [flow] = flows as [FlowRow];
    const { id } = await suite.start(flow);
    expect(await suite.claim({ avoided: [id, newId()] })).toBeUndefined();
    expect((await suite.claim({ workerId: 'other' }))?.execution.id).toBe(id);
  });
});
