import { setTimeout as delay } from 'node:timers/promises';
import type { HintSink } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction, type Committer } from '@steward/database';
import type { EmitOptions } from '@steward/webhooks';
import { toPico } from '@steward/money';
import { listBudgets } from '../../budgets/store/budget.store.ts';
import { hasLeases } from '../../leases/store/lease.store.ts';
import { describeLimit } from '../rules/describe-limit.ts';
import { describeRefusal } from '../rules/describe-refusal.ts';
import type { ReserveOutcome, UntoldRefusal } from '../spend.ts';
import { reserve, type AccountRequests, type ReserveTimes, type Reserved } from '../store/reserve.store.ts';
import { emitCrossings } from './emit-crossings.ts';

export interface Reserving extends AccountRequests {
  /** Awaited before a call is refused, since settling calls that have just ended may free some budget. */
  readonly settle?: (() => Promise<unknown>) | undefined;
}

type Outcome = ReserveOutcome | UntoldRefusal;

/**
 * Reserves the maximum cost of calls, with one statement for all of them. Spend plus reservations never exceeds a hard
 * limit. A crash of the database server may lose a reservation, but never any spend. Granted calls stay granted,
 * regardless of the outcome of the others.
 * @returns the outcomes by account, in the order of its requests. If there are several accounts, those whose ledger is
 *   locked by another transaction are left out, and accounts do not wait for each other's refusals.
 */
export async function reserveSpend(
  deps: Committer,
  reservings: readonly Reserving[],
  times: ReserveTimes,
  options: EmitOptions,
): Promise<ReadonlyMap<string, Promise<Outcome[]>>> {
  const reserved = await reserve(deps.db, reservings, times);
  const outcomes = new Map<string, Promise<Outcome[]>>();
  for (const reserving of reservings) {
    const own = reserved.get(reserving.accountId);
    if (own !== undefined) outcomes.set(reserving.accountId, answer(deps, reserving, { own, times, options }));
  }
  return outcomes;
}

interface Answering {
  readonly own: readonly Reserved[];
  readonly times: ReserveTimes;
  readonly options: EmitOptions;
}

async function answer(deps: Committer, reserving: Reserving, answering: Answering): Promise<Outcome[]> {
  const { own } = answering;
  const refused = reserving.requests.filter((_, index) => isRefused(own[index]));
  if (refused.length === 0) return own.map(grant);
  const told = await tell(deps, { ...reserving, requests: refused }, answering);
  return own.map((one) => (isRefused(one) ? told.shift() : undefined) ?? grant(one));
}

const LEASE_LOOK_MS = 100;
/** Number of checks for leases: processes return unused leases within two seconds. */
const LEASE_LOOKS = 25;

/** Waits until processes have returned their unused leases, or the time for this is over. */
async function waitForLeases(db: AnyDatabase, accountId: string): Promise<void> {
  for (let look = 0; look < LEASE_LOOKS && (await hasLeases(db, accountId)); look += 1) await delay(LEASE_LOOK_MS);
}

/**
 * Repeats the check of refused calls with the ledger locked, so that no event is emitted if the limit was raised in the
 * meantime.
 */
async function tell(deps: Committer, reserving: Reserving, { own, times, options }: Answering): Promise<Outcome[]> {
  try {
    await reserving.settle?.();
    if (own.some((one) => one.isLeaseBlocked)) await waitForLeases(deps.db, reserving.accountId);
    return await transact(deps, (trx, hints) => refuse(trx, hints, reserving, { times, options }));
  } catch (error) {
    return reserving.requests.map(() => ({ kind: 'untold', error }));
  }
}

async function refuse(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, requests }: AccountRequests,
  { times, options }: Pick<Answering, 'times' | 'options'>,
): Promise<ReserveOutcome[]> {
  const reserved = (await reserve(trx, [{ accountId, requests }], times)).get(accountId) ?? [];
  const [first] = reserved;
  if (first === undefined) return [];
  const now = first.reservedAt;
  const budgets = await listBudgets(trx, { accountId, at: now });
  const outcomes = reserved.map((one, index): ReserveOutcome => {
    if (one.refusedLimit !== undefined) return describeLimit(one.refusedLimit, one.reservedAt);
    const [budget, request] = [budgets.find(({ id }) => id === one.refusedBy), requests[index]];
    return budget === undefined || request === undefined ? grant(one) : describeRefusal(budget, request);
  });
  const refusing = new Set(outcomes.flatMap((one) => (one.kind === 'budget_exceeded' ? [one.budgetId] : [])));
  const reached = budgets
    .filter(({ id }) => refusing.has(id))
    .map((budget) => ({ budget, periodStart: budget.periodStart, spent: toPico(budget.spent), isRefused: true }));
  await emitCrossings(trx, hints, { accountId, now, reached }, options);
  return outcomes;
}

function isRefused(one: Reserved | undefined): boolean {
  return one?.refusedBy !== undefined || one?.refusedLimit !== undefined;
}

function grant({ reservedAt }: Reserved): ReserveOutcome {
  return { kind: 'reserved', occurredAt: reservedAt };
}
