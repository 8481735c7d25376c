import type { HintSink } from '@steward/contracts';
import { deterministicId, newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent } from '@steward/webhooks';
import { toStorableText } from '@steward/text';
import type { SessionWriteOptions } from '../../sessions/runtime-session.ts';
import type { NoteAuthor, OperatorNote } from '../operator-note.ts';
import { describeNote } from '../rules/describe-note.ts';
import { requireNoteRate } from '../store/note-rate.store.ts';
import { insertNote } from '../store/operator-note.store.ts';
import { findActiveSessionOfPrincipal, hasSessionOfPrincipal } from '../../sessions/store/find-session.store.ts';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';

/**
 * Recipient of a note. A note for an agent without an open session, or for an execution without a session, waits for
 * the next session.
 */
export type NoteTarget =
  | { readonly sessionId: string; readonly executionId?: string }
  /**
   * Agent of the note. `isKnown` means that the agent is registered, or that an API key is bound to it: a note to it is
   * accepted even if it has never had a session.
   */
  | { readonly managedAgentId: string; readonly isKnown?: boolean }
  /** An execution that has no session yet, and the agent as which it will run. */
  | { readonly executionId: string; readonly managedAgentId: string };

export interface SendOperatorNoteInput {
  readonly accountId: string;
  readonly target: NoteTarget;
  readonly text: string;
  readonly author: NoteAuthor;
  readonly apiKeyId?: string | null | undefined;
  /** Time when the note expires; null if it never does. */
  readonly expiresAt: Date | null;
  readonly now: Date;
}

export type SendOperatorNoteOutcome =
  | { readonly kind: 'sent'; readonly note: OperatorNote }
  | { readonly kind: 'not_found'; readonly missing: 'session' | 'managed_agent' };

/**
 * Stores the note as content of the session, or as a note that waits for a session. Emits `agent.note_sent` unless the
 * note's session has ended: such a note is only a remark for readers of the session. @throws rate_limited if the author
 * has sent too many notes to this agent within the last hour: in this case, the transaction must not be committed
 */
export async function sendOperatorNote(
  trx: AnyTransaction,
  hints: HintSink,
  input: SendOperatorNoteInput,
  options: SessionWriteOptions,
): Promise<SendOperatorNoteOutcome> {
  const text = toStorableText(input.text);
  const place = await placeNote(trx, hints, { ...input, text }, options);
  if (place.kind === 'not_found') return place;
  const { accountId, author, expiresAt, now } = input;
  const { id, runtimeSessionId, managedAgentId, executionId } = place;
  const sender = { accountId, authorUserId: author.userId, managedAgentId, runtimeSessionId, now };
  await requireNoteRate(trx, sender);
  const note: OperatorNote = {
    id,
    accountId,
    runtimeSessionId,
    managedAgentId,
    executionId,
    text,
    hasOwnText: runtimeSessionId === null,
    author: { ...author, display: toStorableText(author.display) },
    state: 'pending',
    createdAt: now,
    expiresAt,
    cancelledAt: null,
    deliveredAt: null,
    deliveryChannel: null,
    turnIndex: null,
  };
  await insertNote(trx, {
    account_id: accountId,
    id,
    runtime_session_id: runtimeSessionId,
    managed_agent_id: managedAgentId,
    execution_id: executionId,
    text: note.hasOwnText ? text : null,
    author_user_id: author.userId,
    author_display: note.author.display,
    author_auth_method: author.authMethod,
    created_at: now,
    expires_at: expiresAt,
  });
  if (!place.isRemark) await emitNoteSent(trx, hints, note, options);
  return { kind: 'sent', note };
}

type Place =
  | (Pick<OperatorNote, 'id' | 'runtimeSessionId' | 'managedAgentId' | 'executionId'> & {
      readonly kind: 'placed';
      /** True if the session of the note has ended. */
      readonly isRemark: boolean;
    })
  | Extract<SendOperatorNoteOutcome, { readonly kind: 'not_found' }>;

/**
 * Stores the note as content of its session. If there is no session yet, nothing is stored here, and the note waits for
 * a session.
 */
async function placeNote(
  trx: AnyTransaction,
  hints: HintSink,
  input: SendOperatorNoteInput,
  options: SessionWriteOptions,
): Promise<Place> {
  const { accountId, target, text } = input;
  const executionId = 'executionId' in target ? (target.executionId ?? null) : null;
  const sessionId = await findTargetSession(trx, accountId, target);
  if (sessionId === undefined) {
    const managedAgentId = 'managedAgentId' in target ? toStorableText(target.managedAgentId) : null;
    if (executionId === null && !(await mayCome(trx, accountId, target)))
      return { kind: 'not_found', missing: 'managed_agent' };
    const waiting = { id: newId(), runtimeSessionId: null, managedAgentId, executionId };
    return { kind: 'placed', ...waiting, isRemark: false };
  }
  const entries = [{ kind: 'operator_note' as const, text }];
  const appended = await appendSessionContent(trx, hints, { ...input, sessionId, entries }, options);
  if (appended.kind === 'not_found') return { kind: 'not_found', missing: 'session' };
  const [stored] = appended.stored;
  if (stored === undefined) throw new Error('an operator note was not stored');
  const { id: runtimeSessionId, runtimePrincipalId: managedAgentId, endedAt } = appended.session;
  return { kind: 'placed', id: stored.id, runtimeSessionId, managedAgentId, executionId, isRemark: endedAt !== null };
}

async function findTargetSession(
  trx: AnyTransaction,
  accountId: string,
  target: NoteTarget,
): Promise<string | undefined> {
  if ('sessionId' in target) return target.sessionId;
  if ('executionId' in target) return undefined;
  return (await findActiveSessionOfPrincipal(trx, accountId, toStorableText(target.managedAgentId)))?.id;
}

/** Returns true if the agent is known (`NoteTarget`) or has had a session before: it may then still open a session. */
async function mayCome(trx: AnyTransaction, accountId: string, target: NoteTarget): Promise<boolean> {
  if (!('managedAgentId' in target) || 'executionId' in target) return false;
  return target.isKnown === true || hasSessionOfPrincipal(trx, accountId, toStorableText(target.managedAgentId));
}

async function emitNoteSent(
  trx: AnyTransaction,
  hints: HintSink,
  note: OperatorNote,
  options: Pick<SessionWriteOptions, 'maxPendingPerAccount'>,
): Promise<void> {
  const { accountId, id, createdAt } = note;
  const data = describeNote(note);
  await emitEvent(
    trx,
    hints,
    {
      type: 'agent.note_sent',
      id: deterministicId('agent.note_sent', id),
      accountId,
      occurredAt: createdAt,
      data,
    },
    options,
  );
}
