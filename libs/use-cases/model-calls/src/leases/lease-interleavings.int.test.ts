import { newId } from '@steward/crypto';
import fc from 'fast-check';
import type { ModelCall } from '../model-call.ts';
import { buildCall, buildRow, START, WORST_USD } from '../testing/build-call.ts';
import { openModelCalls, type OpenModelCalls } from '../testing/open-model-calls.ts';

const KEYS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const LIMIT_USD = 1;
const PROCESSES = 3;

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
});
afterAll(() => opened.close());

const by = fc.nat(PROCESSES - 1);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      ...{ key: fc.constantFrom(...KEYS), by, count: fc.integer({ min: 1, max: 15 }) },
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      ...{ pick: fc.nat(), count: fc.integer({ min: 1, max: 10 }) },
      /** Cost of the call, never more than expected. */
      tenthsOfACent: fc.nat(10),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tend' as const), by }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(50, 250, 1500, 100_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), by }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('reap' as const, 'keep alive' as const), by }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add budget' as const),
      ...{ key: fc.constantFrom(null, ...KEYS), limit: fc.integer({ min: 1, max: 60 }) },
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Running {
  readonly call: ModelCall;
  readonly process: ReturnType<OpenModelCalls['connect']>;
}

/** Opens an account whose calls are made by three processes, each of which may be killed. */
async function openAccount() {
  const accountId = newId();
  let now = START;
  opened.setClock(now);
  await opened.addBudget(accountId, { limitAmount: String(LIMIT_USD), period: 'all_time' });
  const processes = Array.from({ length: PROCESSES }, () => opened.connect());
  const killed: typeof processes = [];
  let running: Running[] = [];
  /**
   * Total that providers charged, in tenths of a cent; a call whose process was killed counts with its maximum cost.
   */
  let charged = 0;
  const get = (index: number) => processes[index] as (typeof processes)[number];
  const worst = WORST_USD * 1000;

  async function begin(index: number, key: string): Promise<void> {
    const process = get(index);
    const call = buildCall(accountId, {
      ...{ occurredAt: now, apiKeyId: key },
      budgetsRevision: await opened.readRevision(accountId),
    });
    const outcome = await process.calls.begin(call);
    if (outcome.kind !== 'reserved') return;
    if (processes.includes(process)) running.push({ call, process });
    else charged += worst;
  }

  async function end({ call, process }: Running, tenthsOfACent: number): Promise<void> {
    charged += tenthsOfACent;
    await process.calls.end(buildRow(call, String(tenthsOfACent / 1000)));
  }

  function kill(index: number): void {
    const process = get(index);
    killed.push(process);
    processes[index] = opened.connect();
    charged += running.filter((one) => one.process === process).length * worst;
    running = running.filter((one) => one.process !== process);
  }

  async function run(one: Step): Promise<unknown> {
    switch (one.kind) {
      case 'begin':
        return Promise.all(Array.from({ length: one.count }, () => begin(one.by, one.key)));
      case 'end': {
        const ending = running.splice(one.pick % Math.max(running.length, 1), one.count);
        return Promise.all(ending.map((call) => end(call, one.tenthsOfACent)));
      }
      case 'tend':
        return get(one.by).calls.tendLeases();
      case 'wait':
        now = new Date(now.getTime() + one.ms);
        return opened.setClock(now);
      case 'kill':
        return kill(one.by);
      case 'reap':
        return get(one.by).calls.reap();
      case 'keep alive':
        return get(one.by).calls.keepAlive();
      case 'add budget': {
        const scope = one.key === null ? ('account' as const) : ('api_key' as const);
        return opened.addBudget(accountId, { scope, scopeId: one.key, limitAmount: String(one.limit / 100) });
      }
    }
  }

  return {
    run,
    readLedger: () => opened.readLedger(accountId),
    readLeased: () => opened.readLeased(accountId),
    /** Returns the total that was charged or may still be charged. */
    readMostUsd: () => (charged + running.length * worst) / 1000,
    readChargedUsd: () => charged / 1000,
    async close() {
      await Promise.all(running.splice(0).map((one) => end(one, 5)));
      await Promise.all(processes.map(({ calls }) => calls.component.stop?.()));
      opened.setClock(new Date(now.getTime() + 200_000));
      await get(0).calls.reap();
    },
    disconnect: () => Promise.all([...processes, ...killed].map(({ database }) => database.close())),
  };
}

const PATIENCE_MS = 600_000;
const pico = (usd: number): bigint => BigInt(Math.round(usd * 1e12));

describe('calls granted from leased budget shares of three processes, some of which are killed', () => {
  it(
    'exceed no hard limit, and the ledger is the sum of their rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 }),
          async (rounds) => {
            const account = await openAccount();
            try {
              for (const round of rounds) {
                await Promise.all(round.map((one) => account.run(one)));
                const ledger = await account.readLedger();
                for (const { said, counted } of ledger) expect(said).toEqual(counted);
                expect(account.readMostUsd()).toBeLessThanOrEqual(LIMIT_USD + 1e-9);
              }
              await account.close();
              const ledger = await account.readLedger();
              for (const { said, counted } of ledger) expect(said).toEqual(counted);
              const said = ledger.at(-1)?.said;
              expect(said?.reserved).toBe(0n);
              expect(await account.readLeased()).toBe(0n);
              expect(said?.spent).toBeGreaterThanOrEqual(pico(account.readChargedUsd()));
            } finally {
              await account.disconnect();
            }
          },
        ),
        { numRuns: 30 },
      );
    },
    PATIENCE_MS,
  );
});
