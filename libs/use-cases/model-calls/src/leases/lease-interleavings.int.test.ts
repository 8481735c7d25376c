import { newId } from '@steward/crypto';
import fc from 'fast-check';
import { scaleLimit } from '@steward/testing';
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

type Process = ReturnType<OpenModelCalls['connect']>;

interface Running {
  readonly call: ModelCall;
  readonly process: Process;
}

/** Opens three processes that serve all accounts, each of which may be killed, with a clock of their own. */
function openProcesses() {
  let now = START;
  opened.setClock(now);
  const processes = Array.from({ length: PROCESSES }, () => opened.connect());
  const killed: Process[] = [];
  return {
    now: () => now,
    get: (index: number) => processes[index] as Process,
    isRunning: (process: Process) => processes.includes(process),
    kill(index: number): void {
      killed.push(this.get(index));
      processes[index] = opened.connect();
    },
    wait(ms: number): void {
      now = new Date(now.getTime() + ms);
      opened.setClock(now);
    },
    async stop() {
      await Promise.all(processes.map(({ calls }) => calls.component.stop?.()));
      this.wait(200_000);
      await this.get(0).calls.reap();
    },
    disconnect: () => Promise.all([...processes, ...killed].map(({ database }) => database.close())),
  };
}

/** Opens an account whose calls are made by the processes. */
async function openAccount({ now, get, isRunning }: ReturnType<typeof openProcesses>) {
  const accountId = newId();
  await opened.addBudget(accountId, { limitAmount: String(LIMIT_USD), period: 'all_time' });
  let running: Running[] = [];
  /**
   * Total that providers charged, in tenths of a cent; a call whose process was killed counts with its maximum cost.
   */
  let charged = 0;
  const worst = WORST_USD * 1000;

  async function begin(index: number, key: string): Promise<void> {
    const process = get(index);
    const call = buildCall(accountId, {
      ...{ occurredAt: now(), apiKeyId: key },
      budgetsRevision: await opened.readRevision(accountId),
    });
    const outcome = await process.calls.begin(call);
    if (outcome.kind !== 'reserved') return;
    if (isRunning(process)) running.push({ call, process });
    else charged += worst;
  }

  async function end({ call, process }: Running, tenthsOfACent: number): Promise<void> {
    charged += tenthsOfACent;
    await process.calls.end(buildRow(call, String(tenthsOfACent / 1000)));
  }

  return {
    begin,
    async end(pick: number, count: number, tenthsOfACent: number) {
      const ending = running.splice(pick % Math.max(running.length, 1), count);
      await Promise.all(ending.map((call) => end(call, tenthsOfACent)));
    },
    addBudget: (key: string | null, limit: number) =>
      opened.addBudget(accountId, {
        ...{ scope: key === null ? ('account' as const) : ('api_key' as const), scopeId: key },
        limitAmount: String(limit / 100),
      }),
    /** Counts the calls of a killed process with their maximum cost. */
    noteKilled(process: Process): void {
      charged += running.filter((one) => one.process === process).length * worst;
      running = running.filter((one) => one.process !== process);
    },
    endAll: () => Promise.all(running.splice(0).map((one) => end(one, 5))),
    readLedger: () => opened.readLedger(accountId),
    readLeased: () => opened.readLeased(accountId),
    /** Returns the total that was charged or may still be charged. */
    readMostUsd: () => (charged + running.length * worst) / 1000,
    readChargedUsd: () => charged / 1000,
  };
}

/** Opens two accounts, whose statements the processes may combine. */
async function openAccounts() {
  const processes = openProcesses();
  const accounts = [await openAccount(processes), await openAccount(processes)] as const;

  async function run(which: number, one: Step): Promise<unknown> {
    const account = accounts[which === 0 ? 0 : 1];
    switch (one.kind) {
      case 'begin':
        return Promise.all(Array.from({ length: one.count }, () => account.begin(one.by, one.key)));
      case 'end':
        return account.end(one.pick, one.count, one.tenthsOfACent);
      case 'tend':
        return processes.get(one.by).calls.tendLeases();
      case 'wait':
        return processes.wait(one.ms);
      case 'kill': {
        const process = processes.get(one.by);
        processes.kill(one.by);
        return accounts.forEach(({ noteKilled }) => noteKilled(process));
      }
      case 'reap':
        return processes.get(one.by).calls.reap();
      case 'keep alive':
        return processes.get(one.by).calls.keepAlive();
      case 'add budget':
        return account.addBudget(one.key, one.limit);
    }
  }

  return { run, accounts, processes };
}

const PATIENCE_MS = scaleLimit(600_000);
const pico = (usd: number): bigint => BigInt(Math.round(usd * 1e12));

describe('calls of two accounts, granted from leased budget shares of three processes, some of which are killed', () => {
  it(
    'exceed no hard limit, and the ledger is the sum of their rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.tuple(fc.nat(1), step), { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 8 }),
          async (rounds) => {
            const { run, accounts, processes } = await openAccounts();
            try {
              for (const round of rounds) {
                await Promise.all(round.map(([which, one]) => run(which, one)));
                for (const account of accounts) {
                  for (const { said, counted } of await account.readLedger()) expect(said).toEqual(counted);
                  expect(account.readMostUsd()).toBeLessThanOrEqual(LIMIT_USD + 1e-9);
                }
              }
              await Promise.all(accounts.map((account) => account.endAll()));
              await processes.stop();
              for (const account of accounts) {
                const ledger = await account.readLedger();
                for (const { said, counted } of ledger) expect(said).toEqual(counted);
                const said = ledger.at(-1)?.said;
                expect(said?.reserved).toBe(0n);
                expect(await account.readLeased()).toBe(0n);
                expect(said?.spent).toBeGreaterThanOrEqual(pico(account.readChargedUsd()));
              }
            } finally {
              await processes.disconnect();
            }
          },
        ),
        { numRuns: 30 },
      );
    },
    PATIENCE_MS,
  );
});
