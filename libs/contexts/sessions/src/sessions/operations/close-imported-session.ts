import type { AnyTransaction } from '@steward/database';
import { closePastSession } from '../store/runtime-session.store.ts';

export interface CloseImportedSessionInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** End time, if the importer provides it; the session then ends with reason `operator`. */
  readonly endedAt?: Date | undefined;
  /** Number of minutes without activity after which a session is idle; 0 if sessions never become idle. */
  readonly idleMinutes: number;
  readonly now: Date;
}

/**
 * Ends a session that had already ended before it was stored (IMP-6). No event is emitted, so that an import does not
 * flood receivers with events. A session that was still active when its row was created is ended by the idle sweep,
 * which emits the event. Returns whether the session was ended.
 */
export async function closeImportedSession(trx: AnyTransaction, input: CloseImportedSessionInput): Promise<boolean> {
  const { accountId, sessionId, endedAt, idleMinutes, now } = input;
  const idleBefore = idleMinutes === 0 ? undefined : new Date(now.getTime() - idleMinutes * 60_000);
  return closePastSession(trx, { accountId, sessionId, endedAt, idleBefore, now });
}
