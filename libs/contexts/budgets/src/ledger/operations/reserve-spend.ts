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
import { reserve, type AccountRequests, type Reserved, type ReserveOptions } from '../store/reserve.store.ts';
import { emitCrossings } from './emit-crossings.ts';

export interface Reserving extends AccountRequests, Omit<ReserveOptions, 'waits'> {
  /**
   * Callback that is awaited before a call is refused: it may free some budget, for example by settling calls that have
   * just ended.
   */
  readonly settle?: (() => Promise<unknown>) | undefined;
}

/**
 * Reserves the maximum cost of calls like `reserveSpend`, but for several accounts with one statement.
 * @returns the outcomes by account, in the order of its requests; undefined for a call that exceeds a limit: the caller
 *   has to pass it to `reserveSpend`. Accounts whose ledger is locked by another transaction are left out.
 */
export async function reserveTogether(
  db: AnyDatabase,
  accounts: readonly AccountRequests[],
  times: Omit<ReserveOptions, 'waits'>,
): Promise<ReadonlyMap<string, readonly (ReserveOutcome | undefined)[]>> {
  const reserved = await reserve(db, accounts, { ...times, waits: false });
  return new Map([...reserved].map(([id, own]) => [id, own.map((one) => (isRefused(one) ? undefined : grant(one)))]));
}

/**
 * Reserves the maximum cost of calls, with one statement for all of them; returns the outcomes in order. Spend plus
 * reservations never exceeds a hard limit. A crash of the database server may lose a reservation, but never any spend.
 * Granted calls stay granted, regardless of the outcome of the others.
 */
export async function reserveSpend(
  deps: Committer,
  reserving: Reserving,
  options: EmitOptions,
): Promise<(ReserveOutcome | UntoldRefusal)[]> {
  const { requests } = reserving;
  const reserved = await reserveForAccount(deps.db, reserving);
  const refused = requests.filter((_, index) => isRefused(reserved[index]));
  if (refused.length === 0) return reserved.map(grant);
  const isLeaseBlocked = reserved.some((one) => one.isLeaseBlocked);
  const told = await tell(deps, { ...reserving, requests: refused, isLeaseBlocked }, options);
  return reserved.map((one) => (isRefused(one) ? told.shift() : undefined) ?? grant(one));
}

async function reserveForAccount(db: AnyDatabase, reserving: Reserving): Promise<readonly Reserved[]> {
  return (await reserve(db, [reserving], { ...reserving, waits: true })).get(reserving.accountId) ?? [];
}

const LEASE_LOOK_MS = 100;
/** Maximum number of checks for leases; after two seconds, processes have returned their unused leases. */
const LEASE_LOOKS = 25;

/** Waits, for a limited time, until processes have returned their unused leases. */
async function waitForLeases(db: AnyDatabase, accountId: string): Promise<void> {
  for (let look = 0; look < LEASE_LOOKS && (await hasLeases(db, accountId)); look += 1) await delay(LEASE_LOOK_MS);
}

/**
 * Repeats the check of refused calls with the ledger locked, so that no event is emitted if the limit was raised in the
 * meantime.
 */
async function tell(
  deps: Committer,
  reserving: Reserving & { readonly isLeaseBlocked: boolean },
  options: EmitOptions,
): Promise<(ReserveOutcome | UntoldRefusal)[]> {
  try {
    await reserving.settle?.();
    if (reserving.isLeaseBlocked) await waitForLeases(deps.db, reserving.accountId);
    return await transact(deps, (trx, hints) => refuse(trx, hints, reserving, options));
  } catch (error) {
    return reserving.requests.map(() => ({ kind: 'untold', error }));
  }
}

async function refuse(
  trx: AnyTransaction,
  hints: HintSink,
  reserving: Reserving,
  options: EmitOptions,
): Promise<ReserveOutcome[]> {
  const { accountId, requests } = reserving;
  const reserved = await reserveForAccount(trx, reserving);
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
