import type { AnyTransaction } from '@steward/database';
import { hideSession } from '@steward/slice-search';
import { deleteSession, lockForDeletion, type Deletable, type SessionKey } from '../store/session-deletion.store.ts';

/** Why a session stays. */
export type DeletionRefusal = 'legal_hold' | 'execution_active';

export type DeleteRuntimeSessionOutcome = { readonly kind: 'deleted' | 'not_found' | DeletionRefusal };

/**
 * Deletes a session (SESS-19): with the commit nobody finds or reads anything of it, and its source may open another. Its rows
 * go in the background (`purgeDeletedSession`). The caller records it in the same transaction.
 */
export async function deleteRuntimeSession(trx: AnyTransaction, key: SessionKey): Promise<DeleteRuntimeSessionOutcome> {
  const [session] = await lockForDeletion(trx, key.accountId, [key.sessionId]);
  if (session === undefined) return { kind: 'not_found' };
  const refusal = findRefusal(session);
  if (refusal !== undefined) return { kind: refusal };
  await deleteSession(trx, key);
  await hideSession(trx, key);
  return { kind: 'deleted' };
}

/** The session of a run ends with it: until then the run and its agent write to it. */
export function findRefusal(session: Deletable): DeletionRefusal | undefined {
  if (session.legal_hold) return 'legal_hold';
  return session.execution_id !== null && session.ended_at === null ? 'execution_active' : undefined;
}
