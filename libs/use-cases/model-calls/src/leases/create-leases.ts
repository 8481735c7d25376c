import { createTurns, type Clock } from '@steward/async';
import { changeLeases, type DrawnAmount, type LeaseChanges, type SpendRequest } from '@steward/budgets';
import { isRolledBack, type AnyDatabase } from '@steward/database';
import { createJointQueue } from '../joint-queue.ts';
import { AccountLeases, type ChangeAll, type ChangedLeases } from './account-leases.ts';

/** A lease whose process the database considered dead, and its calls, which continue. */
export interface LostLease {
  readonly accountId: string;
  readonly id: string;
  readonly occurredAt: Date;
  /** The request for which the lease was made. */
  readonly request: SpendRequest;
  readonly calls: readonly { readonly request: SpendRequest; readonly occurredAt: Date }[];
}

export interface LeasesDeps {
  readonly db: AnyDatabase;
  readonly aliveSeconds: number;
  readonly periods: Clock | undefined;
  /** Called with each call that now has a separate reservation. */
  readonly onRecorded: (accountId: string, id: string) => void;
  /** Called when the database has recorded a lease as spent, because it considered this process dead. */
  readonly onLost: (lost: LostLease) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
  /** Returns milliseconds of a monotonic clock. */
  readonly readLocalMs: () => number;
}

/**
 * Parts of budgets that this process leases in advance of calls, so that a call needs no round trip to the database
 * before its provider is called.
 */
export interface Leases {
  /**
   * Grants a call immediately. Returns undefined if the call has to use the database.
   * @param revision - Revision of the account's budgets that applies to the call
   */
  draw(
    accountId: string,
    request: SpendRequest,
    revision: number | undefined,
  ): { readonly occurredAt: Date } | undefined;
  /** Gives the call a separate reservation; does nothing if the call was not granted from a lease. */
  record(accountId: string, id: string): Promise<void>;
  /**
   * Prepares the end of a call; returns the amount that it uses of a lease, or undefined if it has a separate
   * reservation or no reservation.
   */
  beginEnd(accountId: string, id: string): Promise<DrawnAmount | undefined>;
  /** Removes a call that has ended. */
  forget(accountId: string, id: string): void;
  /** Releases the unused part of the leases, for a call that would otherwise exceed the budget. */
  giveBack(accountId: string): Promise<void>;
  /**
   * Gives separate reservations to granted calls that have been running for a while, and lets leases grow and shrink;
   * skips accounts whose leases are already being changed. It has to be called repeatedly.
   */
  tend(): Promise<void>;
  /** Releases everything; no call may be in progress. */
  close(): Promise<void>;
}

/** Maximum number of accounts whose leases are changed in one statement, which locks their ledgers. */
const MAX_TOGETHER = 50;
/**
 * Number of statements that may leave out an account because its ledger is locked; together they take about a second.
 */
const ATTEMPTS = 20;
/**
 * Maximum number of concurrent statements that wait for a locked ledger. It is low, because new calls need connections,
 * too, and their clients wait.
 */
const MAX_APART = 2;
/**
 * Maximum time that a change waits for its statement. It is a day, so that changes practically never time out: after an
 * error, all leases of the account are given up.
 */
const TIMEOUT_MS = 86_400_000;

/**
 * Creates the function that changes the leases of an account. The leases of all waiting accounts are changed together.
 */
function createChangeAll({ db, aliveSeconds, periods, readLocalMs }: LeasesDeps): ChangeAll {
  const turns = createTurns(MAX_APART);
  async function change(
    changes: readonly LeaseChanges[],
    waits: boolean,
  ): Promise<ReadonlyMap<string, readonly ChangedLeases[]>> {
    const sentAtMs = readLocalMs();
    const changed = await changeLeases(db, changes, { aliveSeconds, at: periods?.now(), waits });
    return new Map([...changed].map(([id, leases]) => [id, [{ sentAtMs, leases }]]));
  }
  async function changeApart(changes: LeaseChanges): Promise<ChangedLeases> {
    const [changed] = (await change([changes], true)).get(changes.accountId) ?? [];
    if (changed === undefined) throw new Error('the statement returned no row');
    return changed;
  }
  const queue = createJointQueue<LeaseChanges, ChangedLeases>({
    run: (accounts) => change([...accounts.values()].flat(), false),
    runApart: (_, changes) => turns.run(() => changeApart(changes)),
    // Unless the error means a rollback, it is unknown whether the leases were changed.
    mayRunApart: isRolledBack,
    attempts: ATTEMPTS,
    maxItems: MAX_TOGETHER,
    maxWaiting: Infinity,
    timeoutMs: TIMEOUT_MS,
  });
  return (changes) => queue.add(changes.accountId, changes);
}

export function createLeases(deps: LeasesDeps): Leases {
  const changeAll = createChangeAll(deps);
  const accounts = new Map<string, AccountLeases>();

  function open(id: string): AccountLeases {
    const account = accounts.get(id) ?? new AccountLeases(id, { ...deps, changeAll });
    accounts.set(id, account);
    return account;
  }

  async function tend(id: string, account: AccountLeases): Promise<void> {
    await account.tend().catch(deps.onFailed);
    if (account.isIdle) accounts.delete(id);
  }

  return {
    draw(accountId, request, revision) {
      const { amountUsd, isUnsized, keyLimits = [], replaces } = request;
      const isPlain = isUnsized !== true && keyLimits.length === 0 && replaces === undefined;
      if (amountUsd === null || revision === undefined || !isPlain) return undefined;
      return open(accountId).draw(request, amountUsd, revision);
    },
    record: async (accountId, id) => accounts.get(accountId)?.record(id),
    beginEnd: async (accountId, id) => accounts.get(accountId)?.beginEnd(id),
    forget: (accountId, id) => accounts.get(accountId)?.forget(id),
    giveBack: async (accountId) => accounts.get(accountId)?.giveBack(),
    tend: async () => {
      const idle = [...accounts].filter(([, { isChanging }]) => !isChanging);
      await Promise.all(idle.map(([id, account]) => tend(id, account)));
    },
    close: async () =>
      void (await Promise.all([...accounts.values()].map((account) => account.close().catch(deps.onFailed)))),
  };
}
