import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { takeWorkflowDeliveries, type WorkflowDelivery } from '../store/workflow-delivery.store.ts';

const BATCH_SIZE = 100;

/**
 * Passes a batch of delivery results of approval workflows to `report`, in the transaction that deletes them. This is
 * separate from settling attempts, so that a report that fails or waits for a lock neither repeats nor delays a
 * delivery.
 *
 * @returns the number of reported deliveries.
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
