import { recordAudits, prepareAudit } from '@steward/audit';
import type { AnyTransaction } from '@steward/database';
import { hideSessions } from '@steward/search';
import type { DeletionActor } from '../deletion-job.ts';
import { findRefusal, type DeletionRefusal } from '../rules/find-refusal.ts';
import * as store from '../store/session-deletion.store.ts';

export interface DeletedSessions {
  readonly deleted: number;
  /** Number of sessions that were not deleted, by reason. */
  readonly kept: Readonly<Record<DeletionRefusal, number>>;
}

/**
 * Deletes sessions of an account like `deleteRuntimeSession`, and records each deletion in the audit log. Sessions that
 * must not be deleted are counted. Sessions that no longer exist, and those active since `inactiveBefore`, are skipped.
 */
export async function deleteSessions(
  trx: AnyTransaction,
  accountId: string,
  sessionIds: readonly string[],
  why: {
    readonly actor: DeletionActor;
    readonly details: Readonly<Record<string, string>>;
    readonly inactiveBefore?: Date;
  },
): Promise<DeletedSessions> {
  const kept = { legal_hold: 0, execution_active: 0 };
  const ids: string[] = [];
  for (const session of await store.lockForDeletion(trx, accountId, sessionIds)) {
    if (why.inactiveBefore !== undefined && session.last_activity_at >= why.inactiveBefore) continue;
    const refusal = findRefusal(session);
    if (refusal === undefined) ids.push(session.id);
    else kept[refusal] += 1;
  }
  if (ids.length === 0) return { deleted: 0, kept };
  await store.deleteSessions(trx, accountId, ids);
  await hideSessions(trx, accountId, ids);
  const { actor, details } = why;
  const fact = { accountId, actor, source: 'system', action: 'delete', resourceType: 'runtime_session' } as const;
  await recordAudits(
    trx,
    ids.map((resourceId) => prepareAudit({ ...fact, resourceId, status: 'success', details })),
  );
  return { deleted: ids.length, kept };
}
