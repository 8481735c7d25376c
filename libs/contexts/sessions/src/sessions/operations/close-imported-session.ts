import type { AnyTransaction } from '@steward/database';
import { closePastSession } from '../store/runtime-session.store.ts';

export interface CloseImportedSessionInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** Time of its end, if the importer knows it; the session then ends with reason `operator`. */
  readonly endedAt?: Date | undefined;
  /** Sessions without activity for this long count as idle; 0: never. */
  readonly idleMinutes: number;
  readonly now: Date;
}

/**
 * Ends a session that was over before it was stored (IMP-6). No event is emitted: an imported history must not flood
 * receivers. A session opened here while it ran is left to the idle sweep, which emits the event. True if it ended.
 */
export async function closeImportedSession(trx: AnyTransaction, input: CloseImportedSessionInput): Promise<boolean> {
  const { accountId, sessionId, endedAt, idleMinutes, now } = input;
  const idleBefore = idleMinutes === 0 ? undefined : new Date(now.getTime() - idleMinutes * 60_000);
  return closePastSession(trx, { accountId, sessionId, endedAt, idleBefore, now });
}
