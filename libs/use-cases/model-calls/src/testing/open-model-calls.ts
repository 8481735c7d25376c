import { sql, type KyselyPlugin } from 'kysely';
import type { Clock } from '@steward/async';
import { APP_ROLES, transact, type AnyTransaction } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createLogger } from '@steward/process';
import { toPico } from '@steward/money';
import {
  createBudgetMaker,
  deleteBudget,
  listBudgets,
  selectBudgetsRevision,
  updateBudget,
  type Budget,
  type BudgetSubject,
  type BudgetTerms,
  type SpentBefore,
} from '@steward/budgets';
import { listUsage, sumCost } from '@steward/models';
import { createTestDatabase } from '@steward/testing';
import { createEmbeddingBooking } from '../create-embedding-booking.ts';
import { createModelCalls } from '../create-model-calls.ts';
import { START } from './build-call.ts';

const SUBJECT = { scope: 'account', scopeId: null, modelAlias: null, period: 'daily', timeZone: 'UTC' } as const;
const TERMS = { limitAmount: '1', isHard: true, refusesUnsized: false, thresholdsPercent: [80], isEnabled: true };
const TIMEOUT_MS = 60_000;

/** Ledger of one budget, in 10^-12 dollars: its own sums, and the sums of rows and reservations. */
export interface Ledger {
  readonly budget: Budget;
  readonly said: { readonly spent: bigint; readonly reserved: bigint };
  readonly counted: { readonly spent: bigint; readonly reserved: bigint };
}

export type OpenModelCalls = Awaited<ReturnType<typeof openModelCalls>>;

/**
 * Connects the use case to the database at this URL, with a separate connection pool, as in each process.
 * @param periods - If undefined, calls are assigned by the clock of the database
 */
export function connectModelCalls(
  url: string,
  now: () => Date,
  {
    applicationName = 'test',
    periods,
    plugins = [],
  }: {
    readonly applicationName?: string;
    readonly periods?: Clock;
    readonly plugins?: readonly KyselyPlugin[];
  } = {},
) {
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const database = connectTestDatabase(url, { applicationName, poolSize: 4, logger });
  const deps = {
    db: plugins.reduce((db, plugin) => db.withPlugin(plugin), database.db),
    broker: { publishHint: () => undefined },
    clock: { now },
    logger,
    options: { maxPendingPerAccount: 1000 },
  };
  const readLocalMs = periods === undefined ? undefined : () => periods.now().getTime();
  return {
    database,
    calls: createModelCalls({ ...deps, periods, readLocalMs }),
    embeddings: createEmbeddingBooking(deps),
  };
}

/** Opens two processes on a cloned database, with a clock that the test sets. */
export async function openModelCalls() {
  const clone = await createTestDatabase();
  const url = clone.urlForRole(APP_ROLES.apiGateway);
  let now = START;
  const connect = (plugins: readonly KyselyPlugin[] = []) =>
    connectModelCalls(url, () => now, { periods: { now: () => now }, plugins });
  const [one, other] = [connect(), connect()];
  const { database } = one;

  const sumUsage = (trx: AnyTransaction, { accountId, scope, scopeId, modelAlias, since, until }: SpentBefore) => {
    const ofKey = scope === 'api_key' && scopeId !== null ? { apiKeyId: scopeId } : {};
    const ofModel = modelAlias === null ? {} : { modelAlias };
    return sumCost(trx, { accountId, since, until, ...ofKey, ...ofModel }, TIMEOUT_MS);
  };
  const makeBudget = createBudgetMaker({ db: database.db, sumUsage });

  return {
    url,
    /** URL of the owner of the tables, who can read every schema. */
    ownerUrl: clone.url,
    processes: [one.calls, other.calls] as const,
    /** Connects another process, which the test may end at any moment, as if it were killed. */
    connect,
    /** Reads the revision of the budgets that the authentication of a request would return. */
    async readRevision(accountId: string): Promise<number> {
      const { rows } = await sql<{ revision: number }>`
        select ${selectBudgetsRevision('a.id')} as revision from (values (${accountId}::uuid)) as a (id)
      `.execute(database.db);
      return Number(rows[0]?.revision);
    },
    /** Reads the sum of the leases of all processes, in 10^-12 dollars. */
    async readLeased(accountId: string): Promise<bigint> {
      const { rows } = await sql<{ leased: string }>`
        select coalesce(sum(amount), 0)::text as leased from budgets.reservation
        where account_id = ${accountId} and is_lease and state = 'held'
      `.execute(database.db);
      return toPico(rows[0]?.leased ?? '0');
    },
    embeddings: [one.embeddings, other.embeddings] as const,
    /** Records an embedding call as the search does. */
    noteEmbedding: (accountId: string, callId: string, { source, costUsd }: { source: string; costUsd: string }) =>
      sql`
        insert into search.embedding_usage (account_id, call_id, occurred_at, provider, model_identifier, source, is_failed,
          tokens, cost_usd)
        values (${accountId}, ${callId}, ${START}, 'generic_compatible', 'vectors-small', ${source}, false, 70, ${costUsd}::numeric)
      `.execute(database.db),
    setClock: (at: Date): void => void (now = at),
    addBudget: (accountId: string, fields: Partial<BudgetSubject & BudgetTerms> = {}) =>
      makeBudget({ accountId, at: now, ...SUBJECT, ...TERMS, ...fields }),
    updateBudget: (accountId: string, id: string, patch: Partial<BudgetTerms>) =>
      transact(other.database, (trx) => updateBudget(trx, { accountId, id }, { now, ...patch })),
    deleteBudget: (accountId: string, id: string) =>
      transact(other.database, (trx) => deleteBudget(trx, { accountId, id }, now)),
    listUsage: (accountId: string) => listUsage(database.db, { accountId, limit: 2000 }),
    /** Reads the ledgers of all current budgets. */
    readLedger: (accountId: string): Promise<Ledger[]> =>
      transact(database, async (trx) => {
        const ledger: Ledger[] = [];
        for (const budget of await listBudgets(trx, { accountId, at: now })) {
          const { periodStart, periodEnd, spent, reserved } = budget;
          const time = { since: periodStart, until: periodEnd };
          const rows = await sumUsage(trx, { ...budget, accountId, ...time });
          const held = await sumHeld(trx, accountId, budget);
          const said = { spent: toPico(spent), reserved: toPico(reserved) };
          ledger.push({ budget, said, counted: { spent: toPico(rows), reserved: toPico(held) } });
        }
        return ledger;
      }),
    listBudgets: (accountId: string, at: Date) => listBudgets(database.db, { accountId, at }),
    /** Corrupts reservations as a bug in the service might do. */
    spoilReservations: (accountId: string) =>
      sql`update budgets.reservation set call = '{}' where account_id = ${accountId}`.execute(database.db),
    async close() {
      await Promise.all([one.database.close(), other.database.close()]);
      await clone.drop();
    },
  };
}

async function sumHeld(trx: AnyTransaction, accountId: string, { id, periodStart }: Budget): Promise<string> {
  const { rows } = await sql<{ held: string }>`
    select coalesce(sum(amount), 0)::text as held
    from budgets.reservation, unnest(budget_ids, period_starts) as hold (budget_id, period_start)
    where account_id = ${accountId} and state = 'held' and is_lease is not true and budget_id = ${id} and hold.period_start = ${periodStart}
  `.execute(trx);
  return rows[0]?.held ?? '0';
}
