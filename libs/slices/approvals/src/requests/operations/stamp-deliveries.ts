import type { AnyTransaction } from '@steward/database';
import type { WorkflowDelivery } from '@steward/slice-webhooks';
import { stampDelivery } from '../store/delivery-stamp.store.ts';

/** Notes on requests how their receivers were told of them: the first that accepted it counts, an error only until then. */
export async function stampDeliveries(trx: AnyTransaction, deliveries: readonly WorkflowDelivery[]): Promise<void> {
  for (const delivery of deliveries.filter(({ eventType }) => eventType === 'approval.created')) {
    await stampDelivery(trx, delivery);
  }
}
