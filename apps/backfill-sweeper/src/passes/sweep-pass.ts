import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import {
  advanceWalk,
  countRemaining,
  deleteLeftovers,
  findPassRows,
  joinPass,
  listAccountsToWalk,
  readHorizon,
  type FailedSource,
  type WalkDeps,
} from '@steward/backfill';
import { listAccountIds } from '@steward/identity';
import type { Backoff } from './backoff.ts';
import type { PassLimits } from './pass-budget.ts';
import { walkAccounts, type PassSummary } from './walk-accounts.ts';

export interface SweepOptions extends PassLimits {
  readonly intervalSeconds: number;
  /** Maximum age of the sessions in days; 0: no age limit. */
  readonly maxAgeDays: number;
}

const MOST_FAILURES_LOGGED = 5;
/**
 * Share of the interval for which an account is skipped after its walk was advanced; less than 1, because timers and
 * statements take some of the interval.
 */
const REST_OF_INTERVAL = 0.9;

/**
 * Makes one pass over the history of the accounts. An account whose walk was already advanced within the interval, for
 * example by another process, is skipped. Thus, however many sweepers run, each account gets its share once per
 * interval, and all accounts together get at most the rows of one pass.
 */
export async function sweepPass(
  deps: WalkDeps & { readonly logger: Logger },
  options: SweepOptions,
  { backoff, signal }: { readonly backoff: Backoff; readonly signal: AbortSignal },
): Promise<PassSummary> {
  const { intervalSeconds, maxAgeDays } = options;
  await deleteLeftovers(deps.db, {
    signal,
    onFailed: (accountId, error) => deps.logger.warn('sweep.leftovers_failed', { account_id: accountId, error }),
  });
  const restSeconds = intervalSeconds * REST_OF_INTERVAL;
  await joinPass(deps.db, restSeconds);
  const horizon = await readHorizon(deps.db, maxAgeDays);
  const { accountIds, restedSince } = await listAccountsToWalk(deps.db, {
    accountIds: await listAccountIds(deps.db),
    horizon,
    restSeconds,
  });
  return walkAccounts(deps.logger, {
    name: 'sweep',
    limits: options,
    accountIds: backoff.admit(accountIds),
    backoff,
    signal,
    async work(accountId, budget, traceparent) {
      budget.noteRowsOfAll(await findPassRows(deps.db));
      if (budget.exhausted() !== undefined) return false;
      const onFailed = createFailureLog(deps.logger, accountId);
      const turn = { accountId, budget, traceparent, onFailed };
      const request = { ...turn, horizon, restedSince, mostPassRows: options.maxRowsPerPass, signal };
      const outcome = await advanceWalk(deps, request);
      return outcome === 'finished' || outcome === 'complete';
    },
  });
}

/**
 * Creates the function that logs sources that cannot be split into chunks. Only the first five per account and pass are
 * logged, because the others would repeat the message.
 */
function createFailureLog(logger: Logger, accountId: string): (source: FailedSource) => void {
  let logged = 0;
  return ({ session, sourceId, error }) => {
    logged += 1;
    if (logged > MOST_FAILURES_LOGGED) return;
    const fields = { account_id: accountId, runtime_session_id: session.id, source_id: sourceId, error };
    logger.warn('sweep.source_failed', fields);
  };
}

/** Returns the number of sessions still to be processed in all accounts; at most 100,000 per account are counted. */
export async function countSessionsLeft(
  db: AnyDatabase,
  { maxAgeDays }: Pick<SweepOptions, 'maxAgeDays'>,
): Promise<number> {
  const request = { accountIds: await listAccountIds(db), horizon: await readHorizon(db, maxAgeDays) };
  return (await countRemaining(db, request)).reduce((sum, { sessions }) => sum + sessions, 0);
}
