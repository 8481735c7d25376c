import type { AnyTransaction } from '@steward/database';
import type { WorkflowDelivery } from '@steward/webhooks';
import { stampDelivery } from '../store/delivery-stamp.store.ts';

/**
 * Records on requests whether their event `approval.created` was delivered: the time of the first successful delivery
 * is recorded permanently; an error is recorded only until a delivery succeeds.
 */
export async function stampDeliveries(trx: AnyTransaction, deliveries: readonly WorkflowDelivery[]): Promise<void> {
  for (const delivery of deliveries.filter(({ eventType }) => eventType === 'approval.created')) {
    await stampDelivery(trx, delivery);
  }
}
