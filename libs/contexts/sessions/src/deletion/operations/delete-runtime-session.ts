import type { AnyTransaction } from '@steward/database';
import { hideSessions } from '@steward/search';
import { findRefusal, type DeletionRefusal } from '../rules/find-refusal.ts';
import { deleteSessions, lockForDeletion, type SessionKey } from '../store/session-deletion.store.ts';

export type DeleteRuntimeSessionOutcome = { readonly kind: 'deleted' | 'not_found' | DeletionRefusal };

/**
 * Deletes a session (SESS-19): after the commit none of its data can be found or read, and its source may open another
 * session. Its content is deleted in the background (`purgeDeletedSession`). The caller records the deletion in the
 * same transaction.
 */
export async function deleteRuntimeSession(trx: AnyTransaction, key: SessionKey): Promise<DeleteRuntimeSessionOutcome> {
  const [session] = await lockForDeletion(trx, key.accountId, [key.sessionId]);
  if (session === undefined) return { kind: 'not_found' };
  const refusal = findRefusal(session);
  if (refusal !== undefined) return { kind: refusal };
  await deleteSessions(trx, key.accountId, [key.sessionId]);
  await hideSessions(trx, key.accountId, [key.sessionId]);
  return { kind: 'deleted' };
}
