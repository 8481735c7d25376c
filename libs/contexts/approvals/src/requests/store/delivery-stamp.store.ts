import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { WorkflowDelivery } from '@steward/webhooks';

/** Records a delivery on its request; changes nothing if the request was deleted. */
export async function stampDelivery(
  trx: AnyTransaction,
  { accountId, eventId, finishedAt, error }: WorkflowDelivery,
): Promise<void> {
  await sql`
    update approvals.approval_request set
      webhook_posted_at = case when ${error}::text is null then least(webhook_posted_at, ${finishedAt}) else webhook_posted_at end,
      webhook_error = case when ${error}::text is null or webhook_posted_at is not null then null else ${error}::text end
    where created_event_id = ${eventId} and account_id = ${accountId}
  `.execute(trx);
}
