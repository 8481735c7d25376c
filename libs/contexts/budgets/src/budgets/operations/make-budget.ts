import type { ControlledTransaction } from 'kysely';
import { createTurns } from '@steward/async';
import { AppError } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { readDatabaseTime, transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { lockLedger, lockLedgerSoon, moveBuckets } from '../../ledger/store/ledger.store.ts';
import type { Budget, BudgetSubject, BudgetTerms } from '../budget.ts';
import { toPico } from '@steward/money';
import {
  findBudget,
  insertOpening,
  openBudget,
  removeUnopened,
  requireBudgetQuota,
  type BudgetKey,
} from '../store/budget.store.ts';
import { readPeriod } from '../store/period.store.ts';

export interface BudgetDraft extends BudgetSubject, BudgetTerms {
  readonly accountId: string;
  /**
   * Time that determines the first period; undefined: now, according to the clock of the database, which also
   * determines the periods in which calls are counted.
   */
  readonly at?: Date | undefined;
}

export interface SpentBefore extends BudgetSubject {
  readonly accountId: string;
  readonly since: Date;
  /** End of the period; undefined: no end. */
  readonly until: Date | undefined;
}

export interface BudgetMakerDeps {
  readonly db: AnyDatabase;
  /** Returns the sum of the usage rows of a subject in a period, as visible to this transaction; this may take long. */
  readonly sumUsage: (snapshot: AnyTransaction, spent: SpentBefore) => Promise<string>;
}

/**
 * Creates a budget.
 * @param draft - the budget's subject and terms
 * @param record - called in the transaction that opens the budget
 * @returns undefined if the account has a budget with the same subject
 * @throws quota_reached, 55P03 if the ledger of the account stays locked, unavailable if the sum took too long or the
 * agent of the budget was merged in the meantime
 */
export type MakeBudget = (
  draft: BudgetDraft,
  record?: (trx: AnyTransaction, budget: Budget) => Promise<void>,
) => Promise<Budget | undefined>;

/**
 * Returns the function that creates budgets. A new budget includes the spend of its current period from before its
 * creation, so that its ledger equals the sum of the usage rows of this period. The sum may cover many rows, and calls
 * of the account must not wait until it is computed. Therefore, the ledger lock is taken twice: first to insert a
 * budget that is not visible yet and to take a snapshot of the usage rows, and, once the sum is known, to open the
 * budget. Later settlements are added to the budget's ledger separately.
 */
export function createBudgetMaker({ db, sumUsage }: BudgetMakerDeps): MakeBudget {
  // The first step of a creation needs two connections at the same time: these steps run one after the other, so that
  // creations do not wait for each other's second connection.
  const turns = createTurns(1);
  return async (draft, record = () => Promise.resolve()) => {
    const opening = await turns.run(() => begin(db, draft));
    if (opening === undefined) return undefined;
    const { snapshot, period: time } = opening;
    const { accountId, scope, scopeId, modelAlias, period, timeZone } = draft;
    try {
      const summing = sumUsage(snapshot, {
        ...{ accountId, scope, scopeId, modelAlias, period, timeZone },
        ...{ since: time.start, until: time.end },
      });
      const spent = await summing.finally(() => snapshot.rollback().execute());
      return await transact({ db }, async (trx) => {
        const budget = await open(trx, opening, spent);
        await record(trx, budget);
        return budget;
      });
    } catch (error) {
      // If the removal fails, a later creation of a budget for the account removes the unopened budget.
      await transact({ db }, (trx) => removeOpening(trx, opening.key)).catch(() => undefined);
      throw error;
    }
  };
}

interface Opening {
  readonly key: BudgetKey;
  readonly at: Date;
  readonly period: { readonly start: Date; readonly end: Date | undefined };
  readonly isEnabled: boolean;
  /**
   * A transaction that sees all calls that were settled before the budget was inserted, and none that were settled
   * after it.
   */
  readonly snapshot: ControlledTransaction<unknown>;
}

async function begin(db: AnyDatabase, draft: BudgetDraft): Promise<Opening | undefined> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  let opening: Opening | undefined;
  try {
    opening = await transact({ db }, async (trx) => {
      const { accountId, isEnabled } = draft;
      // Creations of budgets for other accounts wait for this step, so it does not wait long for the ledger lock.
      await lockLedgerSoon(trx, accountId);
      await removeUnopened(trx, { accountId });
      await requireBudgetQuota(trx, accountId);
      const at = draft.at ?? (await readDatabaseTime(trx));
      const key = { accountId, id: newId() };
      if (!(await insertOpening(trx, { ...draft, ...key, now: at }))) return undefined;
      // The first statement determines the snapshot: no call is settled between this statement and the commit, because
      // the ledger is locked.
      await readDatabaseTime(snapshot);
      return { key, at, period: await readPeriod(trx, { ...draft, at }), isEnabled, snapshot };
    });
    return opening;
  } finally {
    if (opening === undefined) await snapshot.rollback().execute();
  }
}

/**
 * Opens the budget with its earlier spend, and returns it.
 * @throws unavailable if computing the spend took so long that the process was considered dead, or if the agent of the
 * budget was merged in the meantime
 */
async function open(trx: AnyTransaction, opening: Opening, spent: string): Promise<Budget> {
  const { key, at, period, isEnabled } = opening;
  await lockLedger(trx, key.accountId);
  const isThere = await openBudget(trx, key, isEnabled);
  const bucket = { budgetId: key.id, periodStart: period.start, spent: toPico(spent), reserved: 0n };
  if (isThere) await moveBuckets(trx, key.accountId, [bucket]);
  const budget = isThere ? await findBudget(trx, key, at) : undefined;
  if (budget === undefined)
    throw new AppError('unavailable', {
      message: 'Creating the budget took too long, or its agent was merged. Create it again.',
    });
  return budget;
}

async function removeOpening(trx: AnyTransaction, key: BudgetKey): Promise<void> {
  await lockLedger(trx, key.accountId);
  await removeUnopened(trx, key);
}
