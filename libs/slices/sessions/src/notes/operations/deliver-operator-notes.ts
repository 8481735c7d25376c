import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent } from '@steward/slice-webhooks';
import type { SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';
import type { DeliveryChannel, OperatorNote } from '../operator-note.ts';
import { describeNote } from '../rules/describe-note.ts';
import { forgetOwnText, storeDelivery } from '../store/note-claim.store.ts';

export interface NoteDelivery {
  readonly accountId: string;
  /** Of the claim. */
  readonly token: string;
  readonly channel: DeliveryChannel;
  /** The session of the turn; undefined where it has none. */
  readonly sessionId: string | undefined;
  readonly now: Date;
}

/**
 * The agent has the notes of a claim: they are `delivered`, each with its event, and one that waited for a session is content of the
 * one it came to. What the claim does not hold any more is not touched: somebody else hands it over.
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

/** Of a note that had its text with it: one that was sent to a session is content from the beginning. */
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
