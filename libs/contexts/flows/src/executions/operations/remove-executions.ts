import { recordAudit } from '@steward/audit';
import { transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { deleteSessions, holdSessions, isPurgeBehind } from '@steward/sessions';
import { deleteExecutions, lockRemovable } from '../store/execution-retention.store.ts';

const EXECUTIONS_PER_BATCH = 100;
const REASON = { reason: 'retention' };

export interface RemovedExecutions {
  readonly removed: number;
  /**
   * Number of executions that are retained with their logs, because their session is under legal hold or was active
   * after the given time.
   */
  readonly kept: number;
  /**
   * False if more executions may have to be removed: the signal was aborted, or the rows of many deleted sessions must
   * be deleted first.
   */
  readonly isFinished: boolean;
}

/**
 * Removes the account's executions that ended before a time, oldest first, with their sessions and thereby their logs,
 * in short transactions. An execution is retained as long as its session is. A session is retained while it is under
 * legal hold, and if it was active after the given time.
 */
export async function removeExecutions(
  db: AnyDatabase,
  { accountId, before, signal }: { readonly accountId: string; readonly before: Date; readonly signal: AbortSignal },
): Promise<RemovedExecutions> {
  let [removed, kept] = [0, 0];
  let afterId: string | undefined;
  while (!signal.aborted && !(await isPurgeBehind(db, accountId))) {
    const batch = await transact({ db }, (trx) => removeBatch(trx, { accountId, before, afterId }));
    removed += batch.removed;
    kept += batch.found - batch.removed;
    if (batch.found < EXECUTIONS_PER_BATCH) return { removed, kept, isFinished: true };
    ({ lastId: afterId } = batch);
  }
  return { removed, kept, isFinished: false };
}

async function removeBatch(
  trx: AnyTransaction,
  { accountId, before, afterId }: { accountId: string; before: Date; afterId: string | undefined },
): Promise<{ readonly found: number; readonly removed: number; readonly lastId: string | undefined }> {
  const found = await lockRemovable(trx, { accountId, before, afterId, limit: EXECUTIONS_PER_BATCH });
  const sessionIds = found.flatMap(({ runtime_session_id: id }) => (id === null ? [] : [id]));
  const actor = { kind: 'system', id: null } as const;
  await deleteSessions(trx, accountId, sessionIds, { actor, details: REASON, inactiveBefore: before });
  const remaining = await holdSessions(trx, accountId, sessionIds);
  const ids = found
    .filter(({ runtime_session_id: id }) => id === null || !remaining.has(id))
    .map((execution) => execution.id);
  await deleteExecutions(trx, ids);
  if (ids.length > 0)
    await recordAudit(trx, {
      accountId,
      actor,
      source: 'system',
      action: 'delete',
      resourceType: 'flow_execution',
      resourceId: null,
      status: 'success',
      details: { executions: ids.length, first_id: ids[0], last_id: ids.at(-1), ...REASON },
    });
  return { found: found.length, removed: ids.length, lastId: found.at(-1)?.id };
}
