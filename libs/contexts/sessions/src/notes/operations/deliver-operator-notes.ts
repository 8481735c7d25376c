import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent } from '@steward/webhooks';
import type { SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';
import type { DeliveryChannel, OperatorNote } from '../operator-note.ts';
import { describeNote } from '../rules/describe-note.ts';
import { forgetOwnText, storeDelivery } from '../store/note-claim.store.ts';

export interface NoteDelivery {
  readonly accountId: string;
  /** Token of the claim whose notes were delivered. */
  readonly token: string;
  readonly channel: DeliveryChannel;
  /** The session in which the notes were delivered; undefined if there is none. */
  readonly sessionId: string | undefined;
  readonly now: Date;
}

/**
 * Marks the notes of a claim as delivered, and emits an event for each note. A note that was sent before it had a
 * session becomes content of the session in which it was delivered. Notes that are no longer part of the claim are not
 * changed, because another process may have claimed them, or a user may have cancelled them.
 */
export async function deliverOperatorNotes(
  trx: AnyTransaction,
  hints: HintSink,
  delivery: NoteDelivery,
  options: SessionWriteOptions,
): Promise<void> {
  const { accountId, channel, now } = delivery;
  for (const note of await storeDelivery(trx, delivery, delivery)) {
    await keepAsContent(trx, hints, { note, now }, options);
    await emitEvent(
      trx,
      hints,
      {
        type: 'agent.note_delivered',
        id: deterministicId('agent.note_delivered', note.id),
        accountId,
        occurredAt: now,
        data: {
          ...describeNote(note),
          delivered_at: now.toISOString(),
          delivery_channel: channel,
          turn_index: note.turnIndex,
        },
      },
      options,
    );
  }
}

/**
 * Stores the note as content of the session in which it was delivered, if the note was sent before it had a session. A
 * note that is sent to a session is stored as content at once.
 */
async function keepAsContent(
  trx: AnyTransaction,
  hints: HintSink,
  { note, now }: { readonly note: OperatorNote; readonly now: Date },
  options: SessionWriteOptions,
): Promise<void> {
  const { accountId, id, runtimeSessionId: sessionId, text } = note;
  if (!note.hasOwnText || sessionId === null) return;
  const entries = [{ kind: 'operator_note' as const, id, text }];
  const appended = await appendSessionContent(trx, hints, { accountId, sessionId, entries, now }, options);
  if (appended.kind === 'stored') await forgetOwnText(trx, note);
}
