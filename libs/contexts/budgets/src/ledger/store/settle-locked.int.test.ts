import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { openClone } from '@steward/database/testing';

let db: AnyDatabase;
let clone: Awaited<ReturnType<typeof openClone>>;
beforeAll(async () => {
  clone = await openClone();
  ({ db } = clone.connectAs('steward_api_gateway'));
});
afterAll(() => clone.close());

const KEYS = ['key-1', 'key-2'];
const AGENTS = ['agent-1', 'agent-2', 'merged'];
const DAYS = [0, 1, 40];

const arbitraryCall = fc.record({
  key: fc.constantFrom(...KEYS, null),
  agent: fc.constantFrom(...AGENTS, null),
  model: fc.constantFrom('fast', 'slow'),
  day: fc.constantFrom(...DAYS),
  cost: fc.nat(300),
  tokens: fc.nat(50),
  /** Entry of the ledger for the call. */
  known: fc.constantFrom('nothing', 'held', 'assumed', 'drawn', 'lost lease'),
  isWritten: fc.boolean(),
  isBooked: fc.constantFrom(true, false, null),
});
type DrawnCall = typeof arbitraryCall extends fc.Arbitrary<infer Call> ? Call : never;

const arbitraryBudget = fc.record({
  scope: fc.constantFrom('account', 'api_key', 'managed_agent'),
  model: fc.constantFrom('fast', null),
  period: fc.constantFrom('daily', 'monthly', 'all_time'),
  limit: fc.constantFrom('0.0001', '1000000'),
});
type DrawnBudget = typeof arbitraryBudget extends fc.Arbitrary<infer Budget> ? Budget : never;

const arbitraryAccount = fc.record({
  budgets: fc.uniqueArray(arbitraryBudget, {
    maxLength: 4,
    selector: ({ scope, model, period }) => [scope, model, period].join(' '),
  }),
  calls: fc.array(arbitraryCall, { minLength: 1, maxLength: 6 }),
});

const AT = Date.UTC(2026, 10, 20, 12);
const timeOf = ({ day }: DrawnCall): Date => new Date(AT - day * 86_400_000);

interface Placed {
  readonly accountId: string;
  readonly settlements: readonly object[];
  readonly written: readonly string[];
  /** Names of ids that are equal in twins. */
  readonly names: ReadonlyMap<string, string>;
}

/** Stores an account with its budgets, and what the ledger knows of its calls. */
async function place(account: { readonly budgets: readonly DrawnBudget[]; readonly calls: readonly DrawnCall[] }) {
  const [accountId, leaseId] = [randomUUID(), randomUUID()];
  const names = new Map([[leaseId, 'lease']]);
  for (const [index, { scope, model, period, limit }] of account.budgets.entries()) {
    const id = `00000000-0000-4000-8000-00000000000${index}`;
    const scopeId = { account: null, api_key: KEYS[0], managed_agent: AGENTS[0] }[scope] ?? null;
    await sql`insert into budgets.budget (account_id, id, scope, scope_id, model_alias, period, limit_amount, is_hard,
        thresholds_percent, is_enabled, created_at, updated_at)
      values (${accountId}, ${id}, ${scope}, ${scopeId}, ${model}, ${period}, ${limit}, true, '{50}', true, now(), now())`.execute(
      db,
    );
  }
  await sql`insert into budgets.merged_agent values (${accountId}, 'merged', ${AGENTS[0]})`.execute(db);
  const reserve = (call: DrawnCall, id: string, state: string, isLease: boolean) =>
    sql`
    insert into budgets.reservation (account_id, id, state, amount, occurred_at, api_key_id, managed_agent_id, model_alias,
      budget_ids, period_starts, call, alive_until, tokens, limited_keys, is_lease)
    select ${accountId}, ${id}, ${state}, ${isLease ? 5 : 0.01}, ${timeOf(call)}, ${call.key}, ${call.agent}, ${call.model},
      coalesce(array_agg(b.id), '{}'), coalesce(array_agg(budgets.start_of(b.period, ${timeOf(call)}, b.time_zone)), '{}'),
      '{}', now(), 10, ${call.key === null ? [] : [call.key]}::text[], ${isLease}
    from budgets.budget b where b.account_id = ${accountId}`.execute(db);
  const [first] = account.calls;
  if (first !== undefined) await reserve({ ...first, day: 0 }, leaseId, 'held', true);
  const settlements = [];
  const written = [];
  for (const [index, call] of account.calls.entries()) {
    const id = randomUUID();
    names.set(id, `call ${index}`);
    if (call.known === 'held' || call.known === 'assumed') await reserve(call, id, call.known, false);
    if (call.isWritten) written.push(id);
    if (call.key !== null)
      await sql`insert into budgets.key_window values
        (${accountId}, ${call.key}, 'minute', date_trunc('minute', ${timeOf(call)}::timestamptz, 'UTC'), 1, 0, 100),
        (${accountId}, ${call.key}, 'day', date_trunc('day', ${timeOf(call)}::timestamptz, 'UTC'), 1, 0, 100)
        on conflict do nothing`.execute(db);
    settlements.push({
      ...{ id, occurred_at: timeOf(call), api_key_id: call.key, managed_agent_id: call.agent, model_alias: call.model },
      ...{ cost: String(call.cost / 1_000_000), is_booked: call.isBooked, tokens: call.tokens },
      ...(call.known === 'drawn' ? { lease_id: leaseId, leased: 0.25 } : {}),
      ...(call.known === 'lost lease' ? { lease_id: randomUUID(), leased: 0.25 } : {}),
    });
  }
  return { accountId, settlements, written, names };
}

/** Everything that the ledger has of an account, without its random ids. */
async function readLedger({ accountId, names }: Placed) {
  const read = async (table: string, order: string) => {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) - 'account_id' - 'alive_until' as row from ${sql.table(table)} t
      where account_id = ${accountId} order by ${sql.raw(order)}`.execute(db);
    return rows.map(({ row }) => ({ ...row, ...(typeof row.id === 'string' ? { id: names.get(row.id) } : {}) }));
  };
  const reservations = await read('budgets.reservation', 'id');
  return {
    buckets: await read('budgets.bucket', 'budget_id, period_start'),
    windows: await read('budgets.key_window', 'api_key_id, span, started_at'),
    reservations: reservations.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
  };
}

/** Returns the SQLSTATE of the error; undefined without one. */
async function settle(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it('calls of several accounts that are settled together change each ledger as if settled alone', async () => {
  const seen = { crossings: 0, settled: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryAccount, { minLength: 1, maxLength: 3 }), async (accounts) => {
      const alone: Placed[] = [];
      const together: Placed[] = [];
      for (const account of accounts) {
        alone.push(await place(account));
        together.push(await place(account));
      }
      const crossed = await settle(() =>
        db.transaction().execute(async (trx) => {
          for (const { accountId, settlements, written } of alone)
            await sql`select from budgets.settle(${accountId}, ${JSON.stringify(settlements)}::jsonb, ${written}::uuid[], false)`.execute(
              trx,
            );
        }),
      );
      const asked = together.map(({ accountId, settlements }) => ({ account_id: accountId, settlements }));
      const written = together.flatMap((one) => one.written);
      const crossedTogether = await settle(() =>
        sql`select budgets.settle_locked(${JSON.stringify(asked)}::jsonb, ${written}::uuid[])`.execute(db),
      );
      expect(crossedTogether).toBe(crossed);
      for (const [index, one] of alone.entries())
        expect(await readLedger(together[index] as Placed)).toEqual(await readLedger(one));
      if (crossed === undefined) seen.settled += 1;
      else seen.crossings += 1;
    }),
    { numRuns: 40 },
  );
  expect(seen.settled).toBeGreaterThan(0);
  expect(seen.crossings).toBeGreaterThan(0);
});
