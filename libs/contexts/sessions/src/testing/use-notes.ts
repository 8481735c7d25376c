import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { deliverOperatorNotes, type NoteDelivery } from '../notes/operations/deliver-operator-notes.ts';
import {
  sendOperatorNote,
  type NoteTarget,
  type SendOperatorNoteInput,
} from '../notes/operations/send-operator-note.ts';
import type { OperatorNote } from '../notes/operator-note.ts';
import { claimNotes, type NoteTaker } from '../notes/store/note-claim.store.ts';
import { findNote } from '../notes/store/operator-note.store.ts';
import { WRITE_OPTIONS } from './open-sessions.ts';
import type { useSessions } from './use-sessions.ts';

export const DANA = { userId: newId(), display: 'Dana', authMethod: 'token' } as const;
const NOBODY = { sessionId: undefined, agentId: undefined, executionId: undefined, takesAllSessions: false };

/** Returns the steps of a note's delivery, for the tests of a file. */
export function useNotes(sessions: ReturnType<typeof useSessions>) {
  const setClaim = (token: string, until: string) =>
    sessions.query(`update gateway.operator_note set claimed_until = now() + $2::interval where claim_token = $1`, [
      token,
      until,
    ]);
  const sendIn = async (
    trx: AnyTransaction,
    hints: HintSink,
    accountId: string,
    target: NoteTarget,
    more: Partial<Omit<SendOperatorNoteInput, 'accountId' | 'target'>> = {},
  ): Promise<OperatorNote> => {
    const given = { text: 'hold on', author: DANA, expiresAt: null, now: new Date(), ...more };
    const outcome = await sendOperatorNote(trx, hints, { ...given, accountId, target }, WRITE_OPTIONS);
    if (outcome.kind !== 'sent') throw new Error(outcome.kind);
    return outcome.note;
  };
  return {
    sendIn,
    send: (accountId: string, target: NoteTarget, more?: Parameters<typeof sendIn>[4]) =>
      sessions.run((trx, hints) => sendIn(trx, hints, accountId, target, more)),
    async claim(accountId: string, taker: Partial<NoteTaker>, token = newId()) {
      const notes = await claimNotes(sessions.db(), { accountId, ...NOBODY, ...taker }, token);
      return { token, notes, texts: notes.map(({ text }) => text), ids: notes.map(({ id }) => id) };
    },
    deliver: (accountId: string, token: string, more: Partial<NoteDelivery> = {}) =>
      sessions.run((trx, hints) => {
        const given = { channel: 'gateway', sessionId: undefined, now: new Date(), ...more } as const;
        return deliverOperatorNotes(trx, hints, { accountId, token, ...given }, WRITE_OPTIONS);
      }),
    /** Simulates that the delivering process was killed a minute ago. */
    lose: (token: string) => setClaim(token, '-1 minute'),
    /** Simulates a claim that is about to expire. */
    wearOut: (token: string) => setClaim(token, '1 second'),
    find: (accountId: string, noteId: string) => findNote(sessions.db(), { accountId, noteId }),
    /** Simulates an expired note. */
    expire: (id: string) =>
      sessions.query(`update gateway.operator_note set expires_at = now() - interval '1 second' where id = $1`, [id]),
  };
}
