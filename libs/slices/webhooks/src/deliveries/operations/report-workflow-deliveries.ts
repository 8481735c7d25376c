import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { takeWorkflowDeliveries, type WorkflowDelivery } from '../store/workflow-delivery.store.ts';

const BATCH_SIZE = 100;

/**
 * Tells `report` how one batch of deliveries to receivers of approval workflows ended, in the transaction that forgets it here.
 * Apart from the settling of attempts: a report that fails or waits for a lock never makes a delivery repeat, it is only told
 * again.
 *
 * @returns how many were reported.
 */
export function reportWorkflowDeliveries(
  db: AnyDatabase,
  report: (trx: AnyTransaction, deliveries: readonly WorkflowDelivery[]) => Promise<void>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const deliveries = await takeWorkflowDeliveries(trx, BATCH_SIZE);
    if (deliveries.length > 0) await report(trx, deliveries);
    return deliveries.length;
  });
}
