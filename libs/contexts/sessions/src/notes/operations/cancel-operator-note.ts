import type { AnyTransaction } from '@steward/database';
import type { OperatorNote } from '../operator-note.ts';
import { cancelWaitingNote, findNote } from '../store/operator-note.store.ts';

export type CancelNoteOutcome =
  | { readonly kind: 'cancelled'; readonly note: OperatorNote }
  /**
   * The note has already been delivered, has expired or has been cancelled; or it is `pending` and currently being
   * delivered.
   */
  | { readonly kind: 'too_late'; readonly note: OperatorNote }
  | { readonly kind: 'not_found' };

/** Cancels a note that its agent has not received yet. */
export async function cancelOperatorNote(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly noteId: string; readonly now: Date },
): Promise<CancelNoteOutcome> {
  const isCancelled = await cancelWaitingNote(trx, key);
  const note = await findNote(trx, key);
  if (note === undefined) return { kind: 'not_found' };
  return { kind: isCancelled ? 'cancelled' : 'too_late', note };
}
