import { newId } from '@steward/crypto';
import { scaleLimit } from '@steward/testing';
import fc from 'fast-check';

import { buildCall, buildRow, START, WORST_USD } from './testing/build-call.ts';
import type { ModelCall } from './model-call.ts';
import { openModelCalls, type OpenModelCalls } from './testing/open-model-calls.ts';

const KEYS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const LIMIT_USD = 0.08;

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
});
afterAll(() => opened.close());

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('begin' as const), key: fc.constantFrom(...KEYS), by: fc.nat(1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('end' as const, 'take over' as const, 'end twice' as const),
      pick: fc.nat(),
      /** Cost of the call, up to 50 % more than expected. */
      tenthsOfACent: fc.nat(15),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reap' as const),
      seconds: fc.constantFrom(0, 40, 100, 3600),
      by: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep alive' as const), by: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add budget' as const),
      key: fc.constantFrom(null, ...KEYS),
      period: fc.constantFrom('hourly' as const, 'weekly' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('change budget' as const),
      pick: fc.nat(),
      limit: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete budget' as const), pick: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Current time for all accounts. */
let now = START;

/** Opens an account whose calls and budgets change; the first budget remains unchanged. */
async function openAccount() {
  const accountId = newId();
  await opened.addBudget(accountId, { limitAmount: String(LIMIT_USD), period: 'all_time' });
  const added: string[] = [];
  const running: ModelCall[] = [];
  let overrunUsd = 0;
  const take = (pick: number): ModelCall | undefined => running.splice(pick % Math.max(running.length, 1), 1)[0];

  async function end(call: ModelCall, tenthsOfACent: number, times: number): Promise<void> {
    const cost = tenthsOfACent / 1000;
    overrunUsd += Math.max(0, cost - WORST_USD);
    const row = buildRow(call, String(cost));
    await Promise.all(opened.processes.slice(0, times).map((calls) => calls.end(row)));
  }

  async function run(one: Step): Promise<void> {
    switch (one.kind) {
      case 'begin': {
        const call = buildCall(accountId, { occurredAt: now, apiKeyId: one.key });
        const outcome = await opened.processes[one.by === 0 ? 0 : 1].begin(call);
        if (outcome.kind === 'reserved') running.push(call);
        return;
      }
      case 'take over': {
        const former = take(one.pick);
        if (former === undefined) return;
        const call = buildCall(accountId, { occurredAt: now, apiKeyId: former.apiKeyId });
        const outcome = await opened.processes[0].begin(call, { replaces: former.id });
        running.push(outcome.kind === 'reserved' ? call : former);
        return;
      }
      case 'end':
      case 'end twice': {
        const call = take(one.pick);
        if (call !== undefined) await end(call, one.tenthsOfACent, one.kind === 'end' ? 1 : 2);
        return;
      }
      case 'reap':
        now = new Date(now.getTime() + one.seconds * 1000);
        opened.setClock(now);
        return opened.processes[one.by === 0 ? 0 : 1].reap();
      case 'keep alive':
        return opened.processes[one.by === 0 ? 0 : 1].keepAlive();
      case 'add budget': {
        const scope = one.key === null ? ('account' as const) : ('api_key' as const);
        const budget = await opened.addBudget(accountId, { scope, scopeId: one.key, period: one.period });
        if (budget !== undefined) added.push(budget.id);
        return;
      }
      case 'change budget': {
        const id = added[one.pick % Math.max(added.length, 1)];
        if (id !== undefined) await opened.updateBudget(accountId, id, { limitAmount: String(one.limit / 100) });
        return;
      }
      case 'delete budget': {
        const [id] = added.splice(one.pick % Math.max(added.length, 1), 1);
        if (id !== undefined) await opened.deleteBudget(accountId, id);
        return;
      }
    }
  }

  return {
    run,
    endAll: () => Promise.all(running.splice(0).map((call) => end(call, 5, 1))),
    readLedger: () => opened.readLedger(accountId),
    readMostUsd: () => LIMIT_USD + overrunUsd,
  };
}

async function expectWhole({ readLedger, readMostUsd }: Awaited<ReturnType<typeof openAccount>>): Promise<void> {
  const ledger = await readLedger();
  for (const { said, counted } of ledger) expect(said).toEqual(counted);
  const first = ledger.at(-1)?.said;
  const most = BigInt(Math.round(readMostUsd() * 1e12));
  expect((first?.spent ?? 0n) + (first?.reserved ?? 0n)).toBeLessThanOrEqual(most);
}

/** Time limit for thousands of statements, on a machine that may be busy. */
const TIMEOUT_MS = scaleLimit(600_000);

describe('calls, process failures and budgets of two accounts, in any order and concurrently', () => {
  it(
    'leave a ledger that is the sum of their rows, and exceed no hard limit except by estimation errors',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.tuple(fc.nat(1), step), { minLength: 1, maxLength: 12 }), {
            minLength: 1,
            maxLength: 6,
          }),
          async (rounds) => {
            now = START;
            opened.setClock(now);
            const accounts = [await openAccount(), await openAccount()] as const;
            for (const round of rounds) {
              await Promise.all(round.map(([which, one]) => accounts[which === 0 ? 0 : 1].run(one)));
              for (const account of accounts) await expectWhole(account);
            }
            // Calls of both accounts end together.
            await Promise.all(accounts.map((account) => account.endAll()));
            for (const { said, counted } of (await Promise.all(accounts.map((one) => one.readLedger()))).flat()) {
              expect(said).toEqual(counted);
              expect(said.reserved).toBe(0n);
            }
          },
        ),
        { numRuns: 40 },
      );
    },
    TIMEOUT_MS,
  );
});
