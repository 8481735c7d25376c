import { AppError } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { purgeSessionCorpus } from '@steward/search';
import { redactEvents } from '@steward/webhooks';
import type { ContentObjects } from '../../objects/content-objects.ts';
import { noteSessionRemoval } from '../../objects/store/content-removal.store.ts';
import { handOver } from './hand-over.ts';
import * as store from '../store/session-deletion.store.ts';

export interface PurgeStep {
  readonly accountId: string;
  readonly sessionId: string;
  readonly rows: number;
  /** True if none of the session's data is in the database any longer. */
  readonly isDone: boolean;
  /** True if the body of a copy could not be read; the other deleted sessions are then processed first. */
  readonly isPostponed?: boolean;
}

/**
 * Deletes a batch of another context's data about a deleted session, in the given transaction. Returns the number of
 * deleted rows, and whether no data is left.
 */
export type SessionPurger = (
  trx: AnyTransaction,
  key: store.SessionKey,
) => Promise<{ readonly rows: number; readonly isDone: boolean }>;

/** Maximum number of rows per step, small enough for a short commit that does not delay writers. */
const ROWS_PER_STEP = 200;
const BODY_BYTES_PER_STEP = 8 * 1024 * 1024;
const REASON = 'The session was deleted.';
/** Events that contain the text of a note. */
const NOTE_EVENTS = ['agent.note_sent', 'agent.note_delivered'] as const;

/**
 * Deletes a batch of a deleted session's data, in a separate transaction: if the process is killed, the deletion
 * continues from its last position. Several processes can run this at the same time, for different sessions. Returns
 * undefined if no session is waiting. If the session's content has a copy whose body cannot be read at the moment, the
 * session is postponed, so that it does not hold up the others.
 *
 * @param others - functions that delete the data of other contexts, on which this context does not depend
 * @param objects - the object store, for bodies of copies of the session's content
 */
export async function purgeDeletedSession(
  db: AnyDatabase,
  others: readonly SessionPurger[],
  objects?: ContentObjects,
): Promise<PurgeStep | undefined> {
  let claimed: store.SessionKey | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      claimed = await store.claimDeletion(trx);
      return claimed && (await purgeBatch(trx, claimed, { others, objects }));
    });
  } catch (error) {
    if (claimed === undefined || !(error instanceof AppError) || error.code !== 'unavailable') throw error;
    await store.postponeDeletion(db, claimed);
    return { ...claimed, rows: 0, isDone: false, isPostponed: true };
  }
}

async function purgeBatch(
  trx: AnyTransaction,
  key: store.SessionKey,
  { others, objects }: { readonly others: readonly SessionPurger[]; readonly objects: ContentObjects | undefined },
): Promise<PurgeStep> {
  const content = await purgeContent(trx, key, objects);
  if (content > 0) return { ...key, rows: content, isDone: false };
  for (const purge of others) {
    const step = await purge(trx, key);
    if (!step.isDone) return { ...key, ...step };
  }
  const corpus = await purgeSessionCorpus(trx, key, ROWS_PER_STEP);
  if (corpus.isDone) {
    const ids = [deterministicId('session.ended', key.sessionId)];
    await redactEvents(trx, { accountId: key.accountId, ids, reason: REASON });
    await store.removeDeletion(trx, key);
  }
  return { ...key, ...corpus };
}

async function purgeContent(
  trx: AnyTransaction,
  key: store.SessionKey,
  objects: ContentObjects | undefined,
): Promise<number> {
  const { accountId } = key;
  const { rows, deleted, noteIds, hadObjects } = await store.deleteContentBatch(trx, key, {
    rows: ROWS_PER_STEP,
    bytes: BODY_BYTES_PER_STEP,
  });
  if (hadObjects) await noteSessionRemoval(trx, key);
  await handOver(trx, accountId, deleted, objects);
  await store.deleteNotes(trx, accountId, noteIds);
  const ids = noteIds.flatMap((id) => NOTE_EVENTS.map((type) => deterministicId(type, id)));
  await redactEvents(trx, { accountId, ids, reason: REASON });
  return rows;
}
