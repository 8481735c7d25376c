import type { HintSink, SessionEndReason } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent } from '@steward/webhooks';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { findSession, toRuntimeSession } from '../store/find-session.store.ts';
import { closeIdleSessions, closeSession, LAST_SEEN_GRAIN_SECONDS } from '../store/runtime-session.store.ts';

export interface EndRuntimeSessionInput {
  readonly accountId: string;
  readonly sessionId: string;
  readonly reason: SessionEndReason;
  readonly now: Date;
}

export type EndRuntimeSessionOutcome =
  { readonly kind: 'ended' | 'already_ended'; readonly session: RuntimeSession } | { readonly kind: 'not_found' };

type EndOptions = Pick<SessionWriteOptions, 'maxPendingPerAccount'>;

/** Ends a session and emits `session.ended`. Ending a session again returns the unchanged record and emits nothing. */
export async function endRuntimeSession(
  trx: AnyTransaction,
  hints: HintSink,
  input: EndRuntimeSessionInput,
  options: EndOptions,
): Promise<EndRuntimeSessionOutcome> {
  const closed = await closeSession(trx, input);
  if (closed !== undefined) {
    const session = toRuntimeSession(closed);
    await emitSessionEnded(trx, hints, session, options);
    return { kind: 'ended', session };
  }
  const existing = await findSession(trx, input.accountId, input.sessionId);
  return existing === undefined
    ? { kind: 'not_found' }
    : { kind: 'already_ended', session: toRuntimeSession(existing) };
}

export interface EndIdleSessionsInput {
  /** Number of minutes without activity after which a session ends with reason `idle`. */
  readonly timeoutMinutes: number;
  readonly now: Date;
  /** Maximum number of sessions per transaction. */
  readonly limit: number;
}

/**
 * Ends idle sessions of all accounts. If there are fewer than `limit` results, no idle session is left, except those
 * that another process has locked. Several processes may run this at the same time.
 */
export async function endIdleSessions(
  trx: AnyTransaction,
  hints: HintSink,
  input: EndIdleSessionsInput,
  options: EndOptions,
): Promise<RuntimeSession[]> {
  const idleMs = (input.timeoutMinutes * 60 + LAST_SEEN_GRAIN_SECONDS) * 1000;
  const seenBefore = new Date(input.now.getTime() - idleMs);
  const rows = await closeIdleSessions(trx, { seenBefore, now: input.now, limit: input.limit });
  const sessions = rows.map(toRuntimeSession);
  // Accounts are processed in the same order in every process, because emitting locks a row per account.
  sessions.sort((left, right) => (left.accountId < right.accountId ? -1 : left.accountId > right.accountId ? 1 : 0));
  for (const session of sessions) await emitSessionEnded(trx, hints, session, options);
  return sessions;
}

async function emitSessionEnded(
  trx: AnyTransaction,
  hints: HintSink,
  session: RuntimeSession,
  options: EndOptions,
): Promise<void> {
  const { endedAt, endReason, startedAt } = session;
  if (endedAt === null || endReason === null) throw new Error('session.ended for a session that is still open');
  await emitEvent(
    trx,
    hints,
    {
      type: 'session.ended',
      id: deterministicId('session.ended', session.id),
      accountId: session.accountId,
      occurredAt: endedAt,
      data: {
        runtime_session_id: session.id,
        reason: endReason,
        session_source_type: session.sessionSourceType,
        session_source_id: session.sessionSourceId,
        runtime_principal_type: session.runtimePrincipalType,
        runtime_principal_id: session.runtimePrincipalId,
        runtime_principal_name: session.runtimePrincipalName,
        started_at: startedAt.toISOString(),
        ended_at: endedAt.toISOString(),
        // The difference may be negative, since a client's clock may be ahead of the gateway's.
        duration_seconds: Math.max(0, (endedAt.getTime() - startedAt.getTime()) / 1000),
      },
    },
    options,
  );
}
