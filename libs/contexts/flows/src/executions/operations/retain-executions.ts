import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseTime, type AnyDatabase } from '@steward/database';
import { listAccountIds } from '@steward/identity';
import { removeExecutions } from './remove-executions.ts';

const DAY_MS = 86_400_000;
/** Pause between two turns, long enough to delete the rows of several hundred sessions. */
const PAUSE_MS = 5_000;
/** Maximum number of turns; the next call begins again with all accounts. */
const MOST_TURNS = 120;

export interface ExecutionRetention {
  readonly days: number;
  readonly signal: AbortSignal;
  readonly pauseMs?: number;
  /** Time of the clock of this process. */
  readonly now?: Date;
  /** Called after executions of an account were removed, with their number. */
  readonly onRemoved?: (executions: number) => void;
}

/**
 * Removes the executions of all accounts that ended more than `days` days ago, according to both the clock of the
 * database and the clock of this process. Accounts whose deleted sessions still have many rows get further turns. A
 * failure in one account does not delay the others. Returns the number of removed executions, and the number of
 * executions that are retained with their session.
 * @throws the first such failure, after all accounts were processed
 */
export async function retainExecutions(
  db: AnyDatabase,
  { days, signal, pauseMs = PAUSE_MS, now = new Date(), onRemoved }: ExecutionRetention,
): Promise<{ readonly removed: number; readonly kept: number }> {
  const nowMs = Math.min((await readDatabaseTime(db)).getTime(), now.getTime());
  const before = new Date(nowMs - days * DAY_MS);
  let accountIds: readonly string[] = await listAccountIds(db);
  let [removed, kept] = [0, 0];
  const failures: unknown[] = [];
  for (let turn = 0; turn < MOST_TURNS && !signal.aborted; turn += 1) {
    const unfinished: string[] = [];
    for (const accountId of accountIds)
      try {
        const done = await removeExecutions(db, { accountId, before, signal });
        removed += done.removed;
        kept += done.isFinished ? done.kept : 0;
        if (done.removed > 0) onRemoved?.(done.removed);
        if (!done.isFinished) unfinished.push(accountId);
      } catch (error) {
        failures.push(error);
      }
    if (unfinished.length === 0) break;
    accountIds = unfinished;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  if (failures.length > 0) throw failures[0];
  return { removed, kept };
}
