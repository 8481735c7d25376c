import { readDatabaseTime } from '@steward/database';
import type { Logger } from '@steward/process';
import { advanceWalk, deleteLeftovers, type FailedSource, type WalkDeps } from '@steward/slice-backfill';
import type { PassLimits } from './pass-budget.ts';
import { walkAccounts, type Pass, type PassSummary } from './walk-accounts.ts';

export interface SweepOptions extends PassLimits {
  /** 0: no age bound. */
  readonly maxAgeDays: number;
  /** What was stored so shortly before a walk may not be committed yet: the walk does not answer for it. */
  readonly settleSeconds: number;
}

const MOST_FAILURES_LOGGED = 5;

/** One pass over the history of the accounts. */
export async function sweepPass(
  deps: WalkDeps & { readonly logger: Logger },
  options: SweepOptions,
  { startAt, signal }: Pick<Pass, 'startAt' | 'signal'>,
): Promise<PassSummary> {
  const { maxAgeDays, settleSeconds } = options;
  await deleteLeftovers(deps.db, signal);
  const now = await readDatabaseTime(deps.db);
  const horizon = maxAgeDays === 0 ? undefined : new Date(now.getTime() - maxAgeDays * 86_400_000);
  return walkAccounts(deps, {
    name: 'sweep',
    limits: options,
    startAt,
    signal,
    async work(accountId, budget, traceparent) {
      const onFailed = createFailureLog(deps.logger, accountId);
      await advanceWalk(deps, { accountId, horizon, settleSeconds, budget, traceparent, signal, onFailed });
      return true;
    },
  });
}

/** The first of an account's sources that cannot be made into chunks in a pass: the others would say the same. */
function createFailureLog(logger: Logger, accountId: string): (source: FailedSource) => void {
  let logged = 0;
  return ({ session, sourceId, error }) => {
    logged += 1;
    if (logged > MOST_FAILURES_LOGGED) return;
    const fields = { account_id: accountId, runtime_session_id: session.id, source_id: sourceId, error };
    logger.warn('sweep.source_failed', fields);
  };
}
