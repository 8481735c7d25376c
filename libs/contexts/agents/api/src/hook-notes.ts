import { isFresh, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { AnswerBody } from '@steward/http';
import type { Logger } from '@steward/process';
import {
  frameNotes,
  readRuntimeSession,
  type DeliveryChannel,
  type OperatorNote,
  isSessionOf,
  readAgentId,
  type HeldNotes,
  type NoteHandOver,
} from '@steward/sessions';
import { renderAuthor } from '@steward/api';
import type { HookNote } from './permission-check-schemas.ts';

export interface HookNotesDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly notes: Pick<NoteHandOver, 'hasAny' | 'take'>;
}

/** A request whose response may contain notes: a permission check, or a request for pending notes. */
export interface HookTurn {
  readonly principal: Principal;
  /** The session id as sent by the caller. */
  readonly sessionId: string | undefined;
  readonly channel: DeliveryChannel;
  readonly traceparent: string;
}

export interface HookNotes {
  readonly notes: AnswerBody<typeof HookNote>[];
  /**
   * Called when the response has been written, or could not be written. The agent has received the notes only if
   * `isWritten` is true.
   */
  readonly onSent: (isWritten: boolean) => void;
}

export const NO_NOTES: HookNotes = { notes: [], onSent: () => undefined };

/**
 * Takes the notes that wait for the agent of a hook. If this fails, the hook's response contains no notes, and the
 * notes keep waiting.
 */
export async function takeHookNotes(deps: HookNotesDeps, turn: HookTurn): Promise<HookNotes> {
  try {
    const held = await take(deps, turn);
    if (held === undefined) return NO_NOTES;
    const deliver = () => held.deliver(turn.channel, turn.traceparent, () => Promise.resolve(null));
    return {
      notes: held.notes.map(presentNote),
      onSent: (isWritten) => void (isWritten ? deliver() : held.release()),
    };
  } catch (error) {
    deps.logger.error('operator_notes.not_taken', { account_id: turn.principal.accountId, error });
    return NO_NOTES;
  }
}

async function take(deps: HookNotesDeps, { principal, ...turn }: HookTurn): Promise<HeldNotes | undefined> {
  const { accountId, executionId } = principal;
  if (!(await hasNotes(deps, principal))) return undefined;
  const named = principal.runtimeSessionId ?? turn.sessionId;
  const found = named === undefined ? undefined : await readRuntimeSession(deps.db, { accountId, sessionId: named });
  const sessionId = found !== undefined && isSessionOf(found, principal) ? found.id : undefined;
  const agentId = readAgentId(principal);
  // A hook usually sends no session id, because it does not know the id that this service uses. In that case, the notes
  // for all sessions of its agent are taken.
  return deps.notes.take({ accountId, sessionId, agentId, executionId, takesAllSessions: named === undefined });
}

/**
 * Returns whether notes wait in the account. The result was read together with the credential. If the request has
 * waited since then, the result is read again, because a note may have arrived in the meantime.
 */
async function hasNotes({ notes }: HookNotesDeps, principal: Principal): Promise<boolean> {
  const known = isFresh(principal) ? principal.revisions?.hasNotes : undefined;
  return known ?? notes.hasAny(principal.accountId);
}

function presentNote(note: OperatorNote): AnswerBody<typeof HookNote> {
  const { id, text, createdAt, expiresAt } = note;
  const framed = frameNotes([note]);
  return { id, text, framed, author: renderAuthor(note), created_at: createdAt, expires_at: expiresAt };
}
