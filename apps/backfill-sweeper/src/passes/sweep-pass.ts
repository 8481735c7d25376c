import { readDatabaseTime } from '@steward/database';
import type { Logger } from '@steward/process';
import { advanceWalk, type WalkDeps } from '@steward/slice-backfill';
import type { PassLimits } from './pass-budget.ts';
import { walkAccounts, type Pass, type PassSummary } from './walk-accounts.ts';

export interface SweepOptions extends PassLimits {
  /** 0: no age bound. */
  readonly maxAgeDays: number;
  /** What was stored so shortly before a walk may not be committed yet: the walk does not answer for it. */
  readonly settleSeconds: number;
}

/** One pass over the history of the accounts. */
export async function sweepPass(
  deps: WalkDeps & { readonly logger: Logger },
  options: SweepOptions,
  { startAt, signal }: Pick<Pass, 'startAt' | 'signal'>,
): Promise<PassSummary> {
  const { maxAgeDays, settleSeconds } = options;
  const now = await readDatabaseTime(deps.db);
  const horizon = maxAgeDays === 0 ? undefined : new Date(now.getTime() - maxAgeDays * 86_400_000);
  return walkAccounts(deps, {
    name: 'sweep',
    limits: options,
    startAt,
    signal,
    async work(accountId, budget, traceparent) {
      await advanceWalk(deps, { accountId, horizon, settleSeconds, budget, traceparent, signal });
      return true;
    },
  });
}
