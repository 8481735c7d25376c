import { newId } from '@steward/crypto';
import { APP_ROLES, transact, type AnyTransaction } from '@steward/database';
import { openClone, untilOverOrBlocked } from '@steward/database/testing';
import {
  createBudgetMaker,
  deleteBudget,
  endDeadReservations,
  forgetAssumed,
  holdReservations,
  joinBudgetsOfAgents,
  keepReservationsAlive,
  listAccountsOfDead,
  listBudgets,
  reserveSpend,
  settleSpend,
  updateBudget,
  type Budget,
  type BudgetDraft,
  type BudgetTerms,
  type Settlement,
  type SpendRequest,
} from '../index.ts';
import type { JoinedAgents } from '../budgets/budget.ts';
import { lockLedger } from '../ledger/store/ledger.store.ts';

export const NOW = new Date('2026-11-20T10:00:00Z');
const OPTIONS = { maxPendingPerAccount: 1000 };
const TERMS = { limitAmount: '1', isHard: true, refusesUnsized: false, thresholdsPercent: [80], isEnabled: true };
const SUBJECT = { scope: 'account', scopeId: null, modelAlias: null, period: 'daily', timeZone: 'UTC' } as const;
const NOBODY = { apiKeyId: null, managedAgentId: null, flowId: null, modelAlias: 'fast' };

export type OpenBudgets = Awaited<ReturnType<typeof openBudgets>>;

/** Opens the context on a cloned database, as seen by two gateway processes. */
export async function openBudgets() {
  const { connectAs, close } = await openClone({ poolSize: 6 });
  const [one, other] = [connectAs(APP_ROLES.apiGateway), connectAs(APP_ROLES.apiGateway)];
  const broker = { publishHint: () => undefined };
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const process = (index: number) => ({ db: (index % 2 === 0 ? one : other).db, broker, traceparent });

  /** @param sums - the sums of the usage rows of the merged agent, and of the other */
  const joinIn =
    (agents: JoinedAgents, ...[former = '0', other = '0']: string[]) =>
    (trx: AnyTransaction): Promise<void> =>
      joinBudgetsOfAgents(trx, agents, (_, side) => Promise.resolve(side === 'former' ? former : other));
  /**
   * Starts `work` within a transaction, after its first statements; the transaction commits once `work` has ended or
   * waits for it.
   */
  const whileOpen = <T>(begin: (trx: AnyTransaction) => Promise<void>, work: () => Promise<T>): Promise<T> =>
    transact(other, async (trx) => {
      await begin(trx);
      const working = work();
      await untilOverOrBlocked(one, working);
      return { working };
    }).then(({ working }) => working);

  return {
    db: one.db,
    /** Creates a budget. @param spent - returns the spend from before the budget existed */
    add: (
      accountId: string,
      fields: Partial<BudgetDraft> = {},
      spent: () => Promise<string> = () => Promise.resolve('0'),
    ) => createBudgetMaker({ db: one.db, sumUsage: spent })({ accountId, at: NOW, ...SUBJECT, ...TERMS, ...fields }),
    update: (accountId: string, id: string, patch: Partial<BudgetTerms>) =>
      transact(other, (trx) => updateBudget(trx, { accountId, id }, { now: NOW, ...patch })),
    remove: (accountId: string, id: string) => transact(other, (trx) => deleteBudget(trx, { accountId, id }, NOW)),
    join: (agents: JoinedAgents, ...sums: string[]): Promise<void> => transact(other, joinIn(agents, ...sums)),
    /** Starts `work` during a merge, which commits once `work` has ended or waits for the locked ledger. */
    whileJoining: <T>(agents: JoinedAgents, work: () => Promise<T>): Promise<T> => whileOpen(joinIn(agents), work),
    list: (accountId: string, at = NOW): Promise<Budget[]> => listBudgets(one.db, { accountId, at }),
    reserve: (
      accountId: string,
      requests: readonly SpendRequest[],
      now = NOW,
      index = 0,
      settle: () => Promise<unknown> = () => Promise.resolve(),
    ) => reserveSpend(process(index), { accountId, at: now, aliveSeconds: 90, requests, settle }, OPTIONS),
    settle: (accountId: string, settlements: readonly Settlement[], now = NOW, index = 1) =>
      transact(process(index), (trx, hints) => settleSpend(trx, hints, { accountId, now, settlements }, OPTIONS)),
    /** Ends the orphaned calls of one account, if the account is listed as having any. */
    async endDead(accountId: string, now: Date) {
      if (!(await listAccountsOfDead(one.db, now)).includes(accountId)) return [];
      return transact(process(0), (trx, hints) => endDeadReservations(trx, hints, { accountId, now }, OPTIONS));
    },
    keepAlive: (accountId: string, ids: string[], aliveUntil: Date) =>
      keepReservationsAlive(one.db, { accountId, ids, aliveUntil }),
    /** Runs `work` while another process is ending calls. */
    whileEnding: <T>(accountId: string, ids: string[], work: () => Promise<T>): Promise<T> =>
      transact(process(1), async (trx) => {
        await holdReservations(
          trx,
          ids.map((id) => ({ accountId, id })),
        );
        return work();
      }),
    /** Starts `work` within a transaction with heartbeats, which commits once `work` has ended or waits for it. */
    whileKeepingAlive: <T>(accountId: string, ids: string[], aliveUntil: Date, work: () => Promise<T>): Promise<T> =>
      whileOpen((trx) => keepReservationsAlive(trx, { accountId, ids, aliveUntil }), work),
    /** Runs `work` while another process locks the ledger of the account. */
    whileLedgerIsLocked: (accountId: string, work: () => Promise<void>): Promise<void> =>
      transact(other, async (trx) => {
        await lockLedger(trx, accountId);
        await work();
      }),
    forget: (before: Date) => forgetAssumed(one.db, before),
    close,
  };
}

export function buildRequest(amountUsd: string | null, more: Partial<SpendRequest> = {}): SpendRequest {
  return { ...NOBODY, id: newId(), amountUsd, call: { endpoint: 'messages' }, ...more };
}

/** Returns the settlement of a successful call with this cost. */
export function buildSettlement(request: SpendRequest, costUsd: string | null): Settlement {
  const { call: _call, amountUsd: _amount, replaces: _replaces, ...subject } = request;
  return { ...subject, occurredAt: NOW, costUsd, isBooked: false };
}
