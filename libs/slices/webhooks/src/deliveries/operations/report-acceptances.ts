import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { takeAcceptances, type Acceptance } from '../store/acceptance.store.ts';

const BATCH_SIZE = 100;

/** Notes what was accepted, for approvals their `webhook_posted_at`; in the transaction that forgets it here. */
export type AcceptanceReport = (trx: AnyTransaction, acceptances: readonly Acceptance[]) => Promise<void>;

/**
 * Tells `report` of one batch of events that receivers of approval workflows accepted. Apart from the settling of
 * attempts: a report that fails or waits for a lock never makes a delivery repeat, it is only told again.
 *
 * @returns how many were reported.
 */
export function reportAcceptances(db: AnyDatabase, report: AcceptanceReport): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const acceptances = await takeAcceptances(trx, BATCH_SIZE);
    if (acceptances.length > 0) await report(trx, acceptances);
    return acceptances.length;
  });
}
