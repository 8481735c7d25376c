import type { ControlledTransaction } from 'kysely';
import { createTurns } from '@steward/async';
import { AppError } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { readDatabaseTime, transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { lockBooks, lockBooksSoon, moveBuckets } from '../../books/store/book.store.ts';
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
  /** Which period it begins in; undefined: by the clock of the database, as calls are counted. */
  readonly at?: Date | undefined;
}

export interface SpentBefore extends BudgetSubject {
  readonly accountId: string;
  readonly since: Date;
  /** Undefined is without an end. */
  readonly until: Date | undefined;
}

export interface BudgetMakerDeps {
  readonly db: AnyDatabase;
  /** What usage rows say of a subject in a stretch of time, as this transaction sees them; however long it takes. */
  readonly sumUsage: (snapshot: AnyTransaction, spent: SpentBefore) => Promise<string>;
}

/**
 * @param draft - what it is about, and its terms
 * @param record - what is written with the budget, in one transaction
 * @returns undefined when the account has one about the same
 * @throws quota_reached, 55P03 when the books of the account stay in other hands
 */
export type MakeBudget = (
  draft: BudgetDraft,
  record?: (trx: AnyTransaction, budget: Budget) => Promise<void>,
) => Promise<Budget | undefined>;

/**
 * A budget begins with what was spent in its period before there was it: from its first moment its books are the sum of the rows.
 * That sum may be of many rows, and calls of the account do not wait for it: with the books in hand the budget is there, unseen,
 * and a snapshot is taken of the rows; what is settled later goes into its books beside the sum.
 */
export function createBudgetMaker({ db, sumUsage }: BudgetMakerDeps): MakeBudget {
  // Whoever begins needs two connections at once: one after the other, so that no two wait for each other's second.
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
      // What stays all the same goes with the next one that is made.
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
  /** Sees all that was settled before the budget was there, and nothing that is settled after it. */
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
      // Other accounts wait for their turn behind this one.
      await lockBooksSoon(trx, accountId);
      await removeUnopened(trx, { accountId });
      await requireBudgetQuota(trx, accountId);
      const at = draft.at ?? (await readDatabaseTime(trx));
      const key = { accountId, id: newId() };
      if (!(await insertOpening(trx, { ...draft, ...key, now: at }))) return undefined;
      // Its first statement is what fixes what it sees: nobody settles anything before the commit.
      await readDatabaseTime(snapshot);
      return { key, at, period: await readPeriod(trx, { ...draft, at }), isEnabled, snapshot };
    });
    return opening;
  } finally {
    if (opening === undefined) await snapshot.rollback().execute();
  }
}

/** @throws unavailable when it took so long that somebody has taken its maker for dead, or its agent was merged meanwhile */
async function open(trx: AnyTransaction, opening: Opening, spent: string): Promise<Budget> {
  const { key, at, period, isEnabled } = opening;
  await lockBooks(trx, key.accountId);
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
  await lockBooks(trx, key.accountId);
  await removeUnopened(trx, key);
}
