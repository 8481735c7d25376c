import type { Clock } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import { isRolledBack, readDatabaseTime, transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import {
  endDeadReservations,
  forgetAssumed,
  forgetKeyWindows,
  listAccountsOfDead,
  reserveSpend,
  reserveTogether,
  type ReserveOutcome,
  type SpendRequest,
  type UntoldRefusal,
} from '@steward/budgets';
import { insertUsage, type UsageRow } from '@steward/models';
import type { EmitOptions } from '@steward/webhooks';
import { createAccountQueues } from './account-queues.ts';
import { createEndings } from './create-endings.ts';
import { createJointQueue } from './joint-queue.ts';
import { createLoop } from './create-loop.ts';
import { ALIVE_SECONDS, createHeldCalls } from './held-calls.ts';
import { createLeases, type Leases } from './leases/create-leases.ts';
import { createRecovery } from './leases/recover-lease.ts';
import { assumeUsage, requestSpend, type ModelCall } from './model-call.ts';
import { createGracePeriod } from './grace-period.ts';

export interface ModelCallsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: EmitOptions;
  /**
   * Clock that determines the periods to which calls are assigned, and which calls are alive; if undefined, the clock
   * of the database, which all processes share.
   */
  readonly periods?: Clock | undefined;
  /** Returns milliseconds of a monotonic clock; if undefined, the clock of the process is used. */
  readonly readLocalMs?: (() => number) | undefined;
}

export type TracedDeps = ModelCallsDeps & { readonly traceparent: string };

export interface ModelCalls {
  /** Reserves the maximum cost of the call. A granted call must be ended or replaced, whatever happens to it. */
  begin(call: ModelCall, how?: BeginOptions): Promise<ReserveOutcome>;
  /**
   * Sets how long a call needs no heartbeat: it continues at its provider without this process, and any process may end
   * it.
   */
  park(call: Pick<UsageRow, 'accountId' | 'id'>, seconds: number): Promise<void>;
  /**
   * Ends a call: writes its row and records it in the ledger, once. After a transient database error, it tries again
   * for up to a quarter of an hour.
   */
  end(row: UsageRow): Promise<void>;
  /** Sends a heartbeat for every call in flight that has a separate reservation. */
  keepAlive(): Promise<void>;
  /**
   * Gives separate reservations to granted calls that have been running for a while, and adjusts the leases to the
   * expected cost of the next calls.
   */
  tendLeases(): Promise<void>;
  /** Ends the calls of processes that no longer send heartbeats. */
  reap(): Promise<void>;
  /**
   * Component that runs `keepAlive`, `reap` and `tendLeases` at intervals. Its `stop` waits until all ended calls are
   * recorded.
   */
  readonly component: Component;
}

export interface BeginOptions {
  /** Id of a call that this call replaces: if this call is granted, the other call does not need to be ended. */
  readonly replaces?: string | undefined;
  /** Waits until the ended calls of the account are recorded; called before this call is refused. */
  readonly settle?: (() => Promise<unknown>) | undefined;
}

interface Beginning {
  readonly request: SpendRequest;
  readonly settle: BeginOptions['settle'];
}

const KEEP_ALIVE_MS = 30_000;
const REAP_MS = 15_000;
const TEND_LEASES_MS = 100;
/** Time after which an assumed cost is no longer corrected, even if the provider reports the cost. */
const FORGET_MS = 86_400_000;
const MAX_WAITING = 10_000;
/** Maximum number of calls that begin in one statement, which locks the ledgers of their accounts. */
const MAX_BEGINNING = 100;
const BEGIN_TIMEOUT_MS = 10_000;

/**
 * Returns a function that reads the clock that all processes share. This clock determines which calls are alive,
 * because the clocks of the processes may differ by minutes.
 */
function createReadNow({ db, periods }: ModelCallsDeps): () => Promise<Date> {
  return () => (periods === undefined ? readDatabaseTime(db) : Promise.resolve(periods.now()));
}

/** Ends the calls of processes that died, because no other process will report their cost. */
function createReap(deps: ModelCallsDeps, trace: () => TracedDeps) {
  const { logger, options } = deps;
  async function endDead(accountId: string, now: Date): Promise<void> {
    await transact(trace(), async (trx, hints) => {
      const dead = await endDeadReservations(trx, hints, { accountId, now }, options);
      const rows = dead.map((one) => assumeUsage(accountId, one, now));
      await insertUsage(trx, rows);
      if (dead.length > 0) logger.warn('model_calls.assumed', { account_id: accountId, calls: dead.length });
    });
  }
  return async (now: Date): Promise<void> => {
    for (const accountId of await listAccountsOfDead(deps.db, now))
      await endDead(accountId, now).catch((error: unknown) =>
        logger.error('model_calls.reap_failed', { account_id: accountId, error }),
      );
    await forgetAssumed(deps.db, new Date(now.getTime() - FORGET_MS));
    await forgetKeyWindows(deps.db, new Date(now.getTime() - 2 * FORGET_MS));
  };
}

/**
 * Reserves budget for calls that begin. All waiting calls are handled together, except those that may be refused and
 * those of accounts whose ledger is locked.
 */
function createBeginnings(deps: ModelCallsDeps, trace: () => TracedDeps, leases: Pick<Leases, 'giveBack'>) {
  const limits = { maxWaiting: MAX_WAITING, timeoutMs: BEGIN_TIMEOUT_MS };
  const readTimes = () => ({ at: deps.periods?.now(), aliveSeconds: ALIVE_SECONDS });
  const apart = createAccountQueues<Beginning, ReserveOutcome | UntoldRefusal>({
    ...limits,
    run: (accountId, beginnings) => {
      const requests = beginnings.map(({ request }) => request);
      const settle = () => Promise.all([beginnings.at(-1)?.settle?.(), leases.giveBack(accountId)]);
      return reserveSpend(trace(), { accountId, ...readTimes(), requests, settle }, deps.options);
    },
  });
  return createJointQueue<Beginning, ReserveOutcome | UntoldRefusal>({
    ...{ ...limits, maxItems: MAX_BEGINNING, attempts: 1 },
    run(accounts) {
      const asked = [...accounts].map(([accountId, beginnings]) => ({
        accountId,
        requests: beginnings.map(({ request }) => request),
      }));
      return reserveTogether(deps.db, asked, readTimes());
    },
    runApart: (accountId, beginning) => apart.add(accountId, beginning),
    // Unless the error means a rollback, it is unknown whether the reservations exist.
    mayRunApart: isRolledBack,
  });
}

export function createModelCalls(deps: ModelCallsDeps): ModelCalls {
  const { logger } = deps;
  const readNow = createReadNow(deps);
  const held = createHeldCalls(deps.db, readNow);
  const trace = () => ({ ...deps, traceparent: beginTrace() });
  const leases = createLeases({
    ...{ db: deps.db, aliveSeconds: ALIVE_SECONDS, periods: deps.periods },
    onRecorded: (accountId, id) => held.add(accountId, id),
    onLost: createRecovery(deps, trace),
    onFailed: (error) => logger.error('model_calls.leases_failed', { error }),
    readLocalMs: deps.readLocalMs ?? (() => performance.now()),
  });
  const beginnings = createBeginnings(deps, trace, leases);
  const endings = createEndings(deps, trace);
  const reapAt = createReap(deps, trace);
  const reap = async (): Promise<void> => reapAt(await readNow());

  const gracePeriod = createGracePeriod({ passMs: REAP_MS, signMs: KEEP_ALIVE_MS + REAP_MS });
  async function reapInTime(): Promise<void> {
    const now = await readNow();
    if (gracePeriod.see()) await reapAt(now);
  }

  const loops = [
    createLoop('model_calls.keep_alive_failed', KEEP_ALIVE_MS, () => held.keepAlive(), logger),
    createLoop('model_calls.reap_failed', REAP_MS, reapInTime, logger),
    // `tend` is not awaited, because an account whose ledger is locked must not delay the others.
    createLoop('model_calls.leases_failed', TEND_LEASES_MS, async () => void leases.tend(), logger),
  ];
  return {
    async begin(call, { replaces, settle } = {}) {
      const { accountId, id } = call;
      const request = requestSpend(call, replaces);
      const drawn = leases.draw(accountId, request, call.budgetsRevision);
      if (drawn !== undefined) return { kind: 'reserved', ...drawn };
      if (replaces !== undefined) await leases.record(accountId, replaces);
      held.add(accountId, id);
      try {
        const outcome = await beginnings.add(accountId, { request, settle });
        if (outcome.kind === 'untold') throw outcome.error;
        const over = outcome.kind === 'reserved' ? replaces : id;
        if (over !== undefined) held.delete(accountId, over);
        return outcome;
      } catch (error) {
        // It is unknown whether a reservation exists; if it does, it will be ended like the reservation of a dead
        // process.
        held.delete(accountId, id);
        throw error;
      }
    },
    async park({ accountId, id }, seconds) {
      await leases.record(accountId, id);
      await held.park(accountId, id, seconds);
    },
    async end(row) {
      const { accountId, id } = row;
      const drawn = await leases.beginEnd(accountId, id);
      try {
        await endings.add({ ...row, drawn });
      } finally {
        leases.forget(accountId, id);
        held.delete(accountId, id);
      }
    },
    tendLeases: () => leases.tend(),
    keepAlive: () => held.keepAlive(),
    reap,
    component: {
      name: 'model calls',
      start: () => loops.forEach((loop) => loop.start()),
      async stop() {
        await Promise.all(loops.map((loop) => loop.stop()));
        await endings.drain();
        await leases.close();
      },
    },
  };
}
