import { newId } from '@steward/crypto';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { createBudget, listBudgets } from '@steward/slice-budgets';
import { listUsage, type UsageRow } from '@steward/slice-models';
import { createTestDatabase } from '@steward/testing';
import { createModelCalls, type ModelCalls } from './create-model-calls.ts';
import type { ModelCall } from './model-call.ts';

const START = new Date('2026-11-20T10:00:00Z');
const logger = createLogger({ service: 'test', level: 'error', pretty: false });
/** 10 dollars per million tokens: a call of 350 bytes and 900 tokens may cost a cent. */
const rate = { base: 10_000_000 };
const rates = { input: rate, cachedInput: rate, cacheWrite: rate, longCacheWrite: rate, output: rate };
const MODEL = {
  id: newId(),
  alias: 'fast',
  provider: 'openai' as const,
  maxOutputTokens: null,
  price: { source: 'custom' as const, rates },
};

let clone: Awaited<ReturnType<typeof createTestDatabase>>;
let databases: Database[];
let now = START;
beforeAll(async () => {
  clone = await createTestDatabase();
  const connect = () =>
    createDatabase({
      url: clone.urlForRole(APP_ROLES.apiGateway),
      applicationName: 'test',
      poolSize: 4,
      checkoutTimeoutMs: 60_000,
      logger,
    });
  databases = [connect(), connect()];
});
beforeEach(() => void (now = START));
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await clone.drop();
});

const createProcess = (index: number): ModelCalls =>
  createModelCalls({
    db: databases[index]!.db,
    broker: { publishHint: () => undefined },
    clock: { now: () => now },
    logger,
    options: { maxPendingPerAccount: 1000 },
  });

const buildCall = (accountId: string): ModelCall => ({
  ...{ id: newId(), accountId, occurredAt: START, apiKeyId: null, userId: null, managedAgentId: null },
  ...{ executionId: null, flowId: null, endpoint: 'chat/completions', stream: false, model: MODEL },
  expected: { inputBytes: 350, maxOutputTokens: 900, defaultOutputTokens: 4096 },
});

function buildRow({ model, expected: _expected, ...call }: ModelCall, costUsd = '0.01'): UsageRow {
  return {
    ...call,
    ...{ runtimeSessionId: null, modelId: model.id, modelAlias: model.alias, provider: model.provider, status: 'ok' },
    ...{ inputTokens: 100, cachedInputTokens: 0, outputTokens: 900, costUsd, priceSource: 'custom' },
    ...{ usageSource: 'provider', durationMs: 1, firstByteMs: 1, errorClass: null },
  };
}

async function addBudget(accountId: string, limitAmount: string): Promise<void> {
  const subject = { scope: 'account', scopeId: null, modelAlias: null, period: 'daily' } as const;
  const terms = { limitAmount, isHard: true, thresholdsPercent: [80], isEnabled: true };
  await transact(databases[0]!, (trx) =>
    createBudget(trx, { accountId, now: START, ...subject, ...terms }, () => Promise.resolve('0')),
  );
}

async function readBooks(accountId: string) {
  const [budget] = await listBudgets(databases[0]!.db, { accountId, at: START });
  const rows = await listUsage(databases[0]!.db, { accountId, limit: 2000 });
  const sum = rows.reduce((total, { costUsd }) => total + Math.round(Number(costUsd) * 1e6), 0) / 1e6;
  return { spent: Number(budget?.spent), reserved: Number(budget?.reserved), sum, rows };
}

describe('calls of models', () => {
  it('are as many as a budget has room for, in two processes at once; rows and books are one', async () => {
    const accountId = newId();
    await addBudget(accountId, '0.5');
    const processes = [createProcess(0), createProcess(1)];
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const calls = processes[index % 2]!;
        const call = buildCall(accountId);
        const outcome = await calls.begin(call);
        if (outcome.kind === 'reserved') await calls.end(buildRow(call));
        return outcome.kind;
      }),
    );
    expect(outcomes.filter((kind) => kind === 'reserved')).toHaveLength(50);
    expect(await readBooks(accountId)).toMatchObject({ spent: 0.5, reserved: 0, sum: 0.5 });
  });

  it('of a process that died are assumed; one that is heard of after all takes back what was', async () => {
    const accountId = newId();
    await addBudget(accountId, '1');
    const dying = createProcess(0);
    const [lost, late] = [buildCall(accountId), buildCall(accountId)];
    await Promise.all([lost, late].map((call) => dying.begin(call)));
    now = new Date(START.getTime() + 100_000);
    await createProcess(1).reap();
    const assumed = await readBooks(accountId);
    expect(assumed).toMatchObject({ spent: 0.02, reserved: 0, sum: 0.02 });
    expect(assumed.rows.map(({ usageSource }) => usageSource)).toEqual(['assumed', 'assumed']);
    await dying.end(buildRow(late, '0.004'));
    await dying.end(buildRow(late, '0.004'));
    expect(await readBooks(accountId)).toMatchObject({ spent: 0.014, reserved: 0, sum: 0.014 });
  });

  it('that still run give a sign of life, and what is given back is not spent', async () => {
    const accountId = newId();
    await addBudget(accountId, '1');
    const calls = createProcess(0);
    const call = buildCall(accountId);
    await calls.begin(call);
    now = new Date(START.getTime() + 80_000);
    await calls.keepAlive();
    now = new Date(START.getTime() + 100_000);
    await createProcess(1).reap();
    expect(await readBooks(accountId)).toMatchObject({ spent: 0, reserved: 0.01, rows: [] });
    await calls.release(accountId, call);
    expect(await readBooks(accountId)).toMatchObject({ spent: 0, reserved: 0, rows: [] });
  });
});
