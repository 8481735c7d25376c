import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { listAccountIds } from '@steward/identity';
import { expireSessions, type ExpiredSessions } from '@steward/sessions';

const DAY_MS = 86_400_000;
/** Pause between two turns, long enough to delete the rows of several hundred sessions. */
const PAUSE_MS = 5_000;
/**
 * Number of turns after which all accounts are processed again, not only the unfinished ones, so that an account that
 * waits for its earlier deletions does not delay the others.
 */
const TURNS_UNTIL_ALL = 120;

export interface RetentionDeps {
  readonly db: AnyDatabase;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export interface RetainOptions {
  readonly days: number;
  readonly pauseMs?: number;
  /** Called after every turn. */
  readonly onDeleted?: (sessions: number) => void;
}

type Expired = Omit<ExpiredSessions, 'isFinished'>;

/**
 * Deletes the sessions, in all accounts, that had no activity for a number of days, according to the database's clock;
 * with 0 days, deletes none. Retains sessions under a legal hold or with an active execution. Accounts with more
 * sessions than may be deleted at once are processed repeatedly, until each of these sessions is deleted or retained.
 */
export async function retain(
  deps: RetentionDeps,
  { days, pauseMs = PAUSE_MS, onDeleted }: RetainOptions,
  signal: AbortSignal,
): Promise<Expired> {
  const total = { deleted: 0, keptLegalHold: 0, keptExecutionActive: 0 };
  if (days === 0) return total;
  let accountIds: readonly string[] = [];
  let before = new Date(0);
  for (let turn = 0; ; turn += 1) {
    if (turn % TURNS_UNTIL_ALL === 0) {
      before = new Date((await readDatabaseTime(deps.db)).getTime() - days * DAY_MS);
      accountIds = await listAccountIds(deps.db);
    }
    const { unfinished, ...expired } = await expireOf(deps, { accountIds, before, signal });
    total.deleted += expired.deleted;
    onDeleted?.(expired.deleted);
    // The maximum is used instead of the sum, because each turn finds the same retained sessions again.
    total.keptLegalHold = Math.max(total.keptLegalHold, expired.keptLegalHold);
    total.keptExecutionActive = Math.max(total.keptExecutionActive, expired.keptExecutionActive);
    if (unfinished.length === 0 || signal.aborted) return total;
    accountIds = unfinished;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Processes each account once. */
async function expireOf(
  { db, logger }: RetentionDeps,
  {
    accountIds,
    before,
    signal,
  }: { readonly accountIds: readonly string[]; readonly before: Date; readonly signal: AbortSignal },
): Promise<Expired & { readonly unfinished: readonly string[] }> {
  const total = { deleted: 0, keptLegalHold: 0, keptExecutionActive: 0 };
  const unfinished: string[] = [];
  for (const accountId of accountIds) {
    try {
      const expired = await expireSessions(db, { accountId, before, signal });
      total.deleted += expired.deleted;
      total.keptLegalHold += expired.keptLegalHold;
      total.keptExecutionActive += expired.keptExecutionActive;
      if (!expired.isFinished) unfinished.push(accountId);
    } catch (error) {
      // The other accounts are still processed.
      logger.warn('retention.account_failed', { account_id: accountId, error });
    }
  }
  if (total.deleted > 0)
    logger.info('retention.pass_finished', {
      sessions: total.deleted,
      kept_legal_hold: total.keptLegalHold,
      kept_execution_active: total.keptExecutionActive,
      outcome: 'ok',
    });
  return { ...total, unfinished };
}
