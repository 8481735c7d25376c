import type { AnyDatabase } from '@steward/database';
import type { ClaimedBatch, WorkSettings } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { findCallTerms } from '../store/embedding-call.store.ts';

/**
 * Returns whether a claimed batch may still be sent, checked directly before its call: in the meantime, another process
 * may have ended the call, or the account may have changed its setting, used up its cap, or been paused (EMB-12).
 */
export async function confirmBatch(
  db: AnyDatabase,
  batch: ClaimedBatch,
  { deploymentCapUsd }: Pick<WorkSettings, 'deploymentCapUsd'>,
): Promise<boolean> {
  const terms = await findCallTerms(db, batch.callId);
  if (terms?.isEnabled !== true || describeWalk(terms) !== batch.walkFor) return false;
  if (terms.isPaused && !batch.isAlone) return false;
  const isKey =
    batch.apiKeySealed === null ? terms.apiKeySealed === null : terms.apiKeySealed?.equals(batch.apiKeySealed);
  // The day's spend is compared with the whole cap, since queries may have used their part of the cap in the meantime.
  // It already includes this call's reservation.
  const capUsd = terms.dailyCapUsd ?? deploymentCapUsd;
  return isKey === true && capUsd > 0 && terms.takenUsd <= capUsd;
}
