import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent } from '@steward/slice-webhooks';
import { toStorableText } from '@steward/text';
import type { SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { requireNoteRate } from '../store/note-rate.store.ts';
import { insertNote } from '../store/operator-note.store.ts';
import { findActiveSessionOfPrincipal } from '../../sessions/store/find-session.store.ts';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';

export interface NoteAuthor {
  readonly userId: string;
  readonly display: string;
  readonly authMethod: 'token' | 'api_key';
}

export interface SendOperatorNoteInput {
  readonly accountId: string;
  /** Either a session, or an agent: then the session it is active in. */
  readonly target: { readonly sessionId: string } | { readonly managedAgentId: string };
  readonly text: string;
  readonly author: NoteAuthor;
  readonly apiKeyId?: string | null | undefined;
  /** Null: the note waits without end. */
  readonly expiresAt: Date | null;
  readonly now: Date;
}

/** A note to an agent: its text is operator-note content of the session, this is the rest. */
export interface OperatorNote {
  readonly id: string;
  readonly runtimeSessionId: string;
  readonly managedAgentId: string | null;
  readonly text: string;
  readonly author: NoteAuthor;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export type SendOperatorNoteOutcome =
  | { readonly kind: 'sent'; readonly note: OperatorNote }
  | { readonly kind: 'not_found'; readonly missing: 'session' | 'managed_agent' };

/**
 * Stores the note in the session's content. For a session that still runs it emits `agent.note_sent`; one written to an
 * ended session is a remark for its readers, no agent is left to get it.
 * @throws rate_limited when the author said too much to this agent within the hour: then nothing of it may be committed
 */
export async function sendOperatorNote(
  trx: AnyTransaction,
  hints: HintSink,
  input: SendOperatorNoteInput,
  options: SessionWriteOptions,
): Promise<SendOperatorNoteOutcome> {
  const { accountId, author, expiresAt, now, target } = input;
  const sessionId = await findTargetSession(trx, accountId, target);
  if (sessionId === undefined) return { kind: 'not_found', missing: 'managed_agent' };
  const text = toStorableText(input.text);
  const entries = [{ kind: 'operator_note' as const, text }];
  const appended = await appendSessionContent(trx, hints, { ...input, sessionId, entries }, options);
  if (appended.kind === 'not_found') return { kind: 'not_found', missing: 'session' };
  const [stored] = appended.stored;
  if (stored === undefined) throw new Error('an operator note was not stored');

  const managedAgentId = appended.session.runtimePrincipalId;
  const runtimeSessionId = appended.session.id;
  await requireNoteRate(trx, { accountId, authorUserId: author.userId, managedAgentId, runtimeSessionId, now });
  const note: OperatorNote = {
    id: stored.id,
    runtimeSessionId,
    managedAgentId,
    text,
    author,
    createdAt: now,
    expiresAt,
  };
  await insertNote(trx, {
    account_id: accountId,
    id: note.id,
    runtime_session_id: note.runtimeSessionId,
    managed_agent_id: managedAgentId,
    author_user_id: author.userId,
    author_display: toStorableText(author.display),
    author_auth_method: author.authMethod,
    created_at: now,
    expires_at: expiresAt,
  });
  if (appended.session.endedAt === null) await emitNoteSent(trx, hints, accountId, note, options);
  return { kind: 'sent', note };
}

async function findTargetSession(
  trx: AnyTransaction,
  accountId: string,
  target: SendOperatorNoteInput['target'],
): Promise<string | undefined> {
  if ('sessionId' in target) return target.sessionId;
  return (await findActiveSessionOfPrincipal(trx, accountId, toStorableText(target.managedAgentId)))?.id;
}

async function emitNoteSent(
  trx: AnyTransaction,
  hints: HintSink,
  accountId: string,
  note: OperatorNote,
  options: Pick<SessionWriteOptions, 'maxPendingPerAccount'>,
): Promise<void> {
  await emitEvent(
    trx,
    hints,
    {
      type: 'agent.note_sent',
      id: deterministicId('agent.note_sent', note.id),
      accountId,
      occurredAt: note.createdAt,
      data: {
        note_id: note.id,
        managed_agent_id: note.managedAgentId,
        runtime_session_id: note.runtimeSessionId,
        text: note.text,
        author: { user_id: note.author.userId, display: note.author.display, auth_method: note.author.authMethod },
        created_at: note.createdAt.toISOString(),
        expires_at: note.expiresAt?.toISOString() ?? null,
      },
    },
    options,
  );
}
