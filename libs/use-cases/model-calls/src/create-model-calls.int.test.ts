import { newId } from '@steward/crypto';
import { countStatements } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { sql } from 'kysely';
import { buildCall, buildRow, START } from './testing/build-call.ts';
import { withLedgerLocked } from './testing/lock-ledger.ts';
import { connectModelCalls, openModelCalls, type OpenModelCalls } from './testing/open-model-calls.ts';

let opened: OpenModelCalls;
let watching: ReturnType<OpenModelCalls['connect']>;
beforeAll(async () => {
  opened = await openModelCalls();
  watching = opened.connect();
});
beforeEach(() => opened.setClock(START));
afterAll(async () => {
  await watching.database.close();
  await opened.close();
});

const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
/** Reads the spend of the only budget of an account, in cents. */
async function readCents(accountId: string) {
  const [ledger] = await opened.readLedger(accountId);
  const cents = (pico?: bigint): number => Number(pico) / 1e10;
  return {
    spent: cents(ledger?.said.spent),
    reserved: cents(ledger?.said.reserved),
    rows: cents(ledger?.counted.spent),
  };
}

/** Counts the statements that wait for a lock. */
async function countBlocked(): Promise<number> {
  const { rows } = await sql<{ blocked: number }>`
    select count(*)::int as blocked from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(watching.database.db);
  return Number(rows[0]?.blocked);
}

describe('model calls', () => {
  it('are limited by a budget across two concurrent processes; rows and ledger agree', async () => {
    const accountId = newId();
    await opened.addBudget(accountId, { limitAmount: '0.5' });
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const calls = opened.processes[index % 2 === 0 ? 0 : 1];
        const call = buildCall(accountId);
        const outcome = await calls.begin(call);
        if (outcome.kind === 'reserved') await calls.end(buildRow(call));
        return outcome.kind;
      }),
    );
    expect(outcomes.filter((kind) => kind === 'reserved')).toHaveLength(50);
    expect(await readCents(accountId)).toEqual({ spent: 50, reserved: 0, rows: 50 });
  });

  it('have an assumed cost if their process died, which a late result replaces', async () => {
    const accountId = newId();
    await opened.addBudget(accountId);
    const [dying, other] = opened.processes;
    const [lost, late] = [buildCall(accountId), buildCall(accountId)];
    await Promise.all([lost, late].map((call) => dying.begin(call)));
    opened.setClock(later(100));
    await other.reap();
    expect(await readCents(accountId)).toEqual({ spent: 2, reserved: 0, rows: 2 });
    const assumed = await opened.listUsage(accountId);
    expect(assumed.map(({ usageSource }) => usageSource)).toEqual(['assumed', 'assumed']);
    await dying.end(buildRow(late, '0.004'));
    await dying.end(buildRow(late, '0.004'));
    expect(await readCents(accountId)).toEqual({ spent: 1.4, reserved: 0, rows: 1.4 });
  });

  it('are finished in every account if their process died, even if that fails in one of the accounts', async () => {
    const accounts = [newId(), newId()].toSorted();
    const [dying, other] = opened.processes;
    for (const accountId of accounts) {
      await opened.addBudget(accountId);
      await dying.begin(buildCall(accountId));
    }
    // No row can be built from a damaged reservation.
    await opened.spoilReservations(accounts[0] ?? '');
    opened.setClock(later(100));
    await other.reap();
    expect(await readCents(accounts[1] ?? '')).toEqual({ spent: 1, reserved: 0, rows: 1 });
    expect(await readCents(accounts[0] ?? '')).toEqual({ spent: 0, reserved: 1, rows: 0 });
  });

  it('that begin together are reserved by one statement, and a locked ledger does not delay other accounts', async () => {
    const [locked, ...others] = [newId(), newId(), newId()] as const;
    for (const accountId of [locked, ...others]) await opened.addBudget(accountId);
    const sent = countStatements();
    const { calls, database } = opened.connect([sent.plugin]);
    const begin = (accountId: string) => calls.begin(buildCall(accountId));
    let late: Promise<unknown> | undefined;
    await withLedgerLocked(opened.ownerUrl, locked, async () => {
      late = begin(locked);
      const outcomes = await Promise.all([...others, ...others].map(begin));
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('reserved'));
    });
    expect(await late).toMatchObject({ kind: 'reserved' });
    for (const accountId of others) expect(await readCents(accountId)).toMatchObject({ reserved: 2 });
    const before = sent.count();
    await Promise.all(others.map(begin));
    expect(sent.count() - before).toBe(1);
    await database.close();
  });

  it('that begin together do not wait until one of them is refused, and others of its account are granted', async () => {
    const [poor, other] = [newId(), newId()];
    await opened.addBudget(poor, { limitAmount: '0.015' });
    const [calls] = opened.processes;
    const granted = Promise.withResolvers<void>();
    const begun = [poor, poor, other].map((accountId) =>
      calls.begin(buildCall(accountId), { settle: () => granted.promise }),
    );
    expect(await begun[0]).toMatchObject({ kind: 'reserved' });
    expect(await begun[2]).toMatchObject({ kind: 'reserved' });
    granted.resolve();
    expect(await begun[1]).toMatchObject({ kind: 'budget_exceeded' });
    expect(await readCents(poor)).toMatchObject({ reserved: 1 });
  });

  it('that begin together do not fail because of a call of another account that cannot be reserved', async () => {
    const [accountId, other] = [newId(), newId()];
    const [calls] = opened.processes;
    const call = buildCall(accountId);
    await calls.begin(call);
    const begun = [calls.begin(call), calls.begin(buildCall(other))];
    await expect(begun[0]).rejects.toMatchObject({ code: '23505' });
    expect(await begun[1]).toMatchObject({ kind: 'reserved' });
  });

  it('that end together are recorded together, and locked ledgers do not delay other accounts', async () => {
    const accounts = [newId(), newId(), newId(), newId()] as const;
    const [calls] = opened.processes;
    const begun: ReturnType<typeof buildCall>[] = [];
    for (const accountId of [...accounts, ...accounts]) {
      if (begun.length < accounts.length) await opened.addBudget(accountId);
      const call = buildCall(accountId);
      await calls.begin(call);
      begun.push(call);
    }
    const [locked, frozen, ...others] = accounts;
    const isLocked = (id: string) => id === locked || id === frozen;
    let ended: Promise<unknown> | undefined;
    const withBothLocked = (work: () => Promise<void>) =>
      withLedgerLocked(opened.ownerUrl, locked, () => withLedgerLocked(opened.ownerUrl, frozen, work));
    await withBothLocked(async () => {
      const endings = begun.map((call) => ({ call, end: calls.end(buildRow(call, '0.004')) }));
      ended = Promise.all(endings.map(({ end }) => end));
      await Promise.all(endings.filter(({ call }) => !isLocked(call.accountId)).map(({ end }) => end));
      for (const accountId of others)
        expect(await readCents(accountId)).toEqual({ spent: 0.8, reserved: 0, rows: 0.8 });
      expect(await readCents(locked)).toEqual({ spent: 0, reserved: 2, rows: 0 });
      // Their statements now wait for the locks; further calls are recorded all the same.
      await eventually(async () => (await countBlocked()) === 2);
      const late = buildCall(others[0]);
      await calls.begin(late);
      await calls.end(buildRow(late, '0.004'));
    });
    await ended;
    expect(await readCents(locked)).toEqual({ spent: 0.8, reserved: 0, rows: 0.8 });
  });

  it('send heartbeats while they run, and a call that replaces another takes over its reservation', async () => {
    const accountId = newId();
    await opened.addBudget(accountId);
    const [calls, other] = opened.processes;
    const [former, call] = [buildCall(accountId), buildCall(accountId)];
    await calls.begin(former);
    await calls.begin(call, { replaces: former.id });
    opened.setClock(later(80));
    await calls.keepAlive();
    opened.setClock(later(100));
    await other.reap();
    expect(await readCents(accountId)).toEqual({ spent: 0, reserved: 1, rows: 0 });
    await calls.end(buildRow(call));
    expect(await readCents(accountId)).toEqual({ spent: 1, reserved: 0, rows: 1 });
  });

  it('remain in the ledger with their assumed cost, and keep their rows, if another call replaces them later', async () => {
    const accountId = newId();
    await opened.addBudget(accountId);
    const [paused, other] = opened.processes;
    const [former, call] = [buildCall(accountId), buildCall(accountId)];
    await paused.begin(former);
    opened.setClock(later(100));
    await other.reap();
    await paused.begin(call, { replaces: former.id });
    expect(await readCents(accountId)).toEqual({ spent: 1, reserved: 1, rows: 1 });
  });

  it('count for the period given by the database’s clock, regardless of the clock of their process', async () => {
    const accountId = newId();
    await opened.addBudget(accountId, { period: 'hourly' });
    const { calls, database } = connectModelCalls(opened.url, () => START);
    const outcome = await calls.begin(buildCall(accountId));
    await database.close();
    if (outcome.kind !== 'reserved') throw new Error(outcome.reason);
    const [ledger] = await opened.listBudgets(accountId, outcome.occurredAt);
    expect(Number(ledger?.reserved)).toBe(0.01);
    expect(outcome.occurredAt.getTime()).toBeGreaterThan(later(3600).getTime());
  });

  it('expire by the database’s clock, regardless of the clocks of their processes', async () => {
    const accountId = newId();
    await opened.addBudget(accountId, { period: 'all_time' });
    const slow = connectModelCalls(opened.url, () => new Date(Date.now() - 600_000));
    const fast = connectModelCalls(opened.url, () => new Date(Date.now() + 600_000));
    const [begun, kept] = [buildCall(accountId), buildCall(accountId)];
    expect((await slow.calls.begin(begun)).kind).toBe('reserved');
    expect((await slow.calls.begin(kept)).kind).toBe('reserved');
    await slow.calls.end(buildRow(begun));
    await fast.calls.reap();
    await slow.calls.keepAlive();
    await fast.calls.reap();
    expect(await readCents(accountId)).toEqual({ spent: 1, reserved: 1, rows: 1 });
    await slow.calls.end(buildRow(kept));
    await Promise.all([slow.database.close(), fast.database.close()]);
  });
});
