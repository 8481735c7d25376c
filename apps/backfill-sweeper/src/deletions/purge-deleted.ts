import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { forgetRequestsOfSession } from '@steward/approvals';
import { purgeDeletedSession, type ContentObjects, type PurgeStep } from '@steward/sessions';

/** Functions that remove the data of a session from other contexts. */
const OTHERS = [forgetRequestsOfSession];

/** Duration of the pause after a batch, as a multiple of the duration of the batch. */
const REST = 3;

export interface PurgeDeps {
  readonly db: AnyDatabase;
  readonly logger: Pick<Logger, 'info'>;
  /** Object store with large bodies of content; undefined if there is none. */
  readonly contentObjects?: ContentObjects | undefined;
}

/**
 * Deletes the data of deleted sessions, batch by batch, until no data is left, or the next session is locked or has to
 * wait for the object store. After each batch, the function pauses three times as long as the batch took: these
 * deletions are not urgent, and the disk remains available to other writers. Returns the number of deleted rows.
 */
export async function purgeDeleted({ db, logger, contentObjects }: PurgeDeps, signal: AbortSignal): Promise<number> {
  let total = 0;
  let rows = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const step = await purgeDeletedSession(db, OTHERS, contentObjects);
    if (step === undefined) break;
    total += step.rows;
    rows += step.rows;
    if (step.isDone) {
      logPurged(logger, step, rows);
      rows = 0;
    } else if (step.rows === 0) {
      if (step.isPostponed === true) logPostponed(logger, step);
      break;
    }
    await sleep(REST * (performance.now() - startedAt), undefined, { signal }).catch(() => undefined);
  }
  return total;
}

/** Logs how many rows of the session this process deleted. */
function logPurged(logger: PurgeDeps['logger'], { accountId, sessionId }: PurgeStep, rows: number): void {
  logger.info('session.purged', { account_id: accountId, runtime_session_id: sessionId, rows, outcome: 'ok' });
}

function logPostponed(logger: PurgeDeps['logger'], { accountId, sessionId }: PurgeStep): void {
  logger.info('session.purge_postponed', {
    ...{ account_id: accountId, runtime_session_id: sessionId },
    reason: 'a copy is in the object store, which does not respond',
  });
}
