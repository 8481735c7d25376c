import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { AcceptanceTable } from '../../schema.ts';

/** Result of delivering an event to a receiver of an approval workflow. */
export interface WorkflowDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly workflowId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly finishedAt: Date;
  /** Reason why the receiver did not accept the event; null if it did. */
  readonly error: string | null;
}

/** Selects the results that have not been reported. */
export const WORKFLOW_DELIVERIES = sql`select from webhooks.acceptance`;

/** Deletes the oldest results and returns them; a rollback restores them. */
export async function takeWorkflowDeliveries(trx: AnyTransaction, limit: number): Promise<WorkflowDelivery[]> {
  const result = await sql<AcceptanceTable>`
    delete from webhooks.acceptance a
    using (
      select delivery_id from webhooks.acceptance order by accepted_at limit ${limit} for update skip locked
    ) oldest
    where a.delivery_id = oldest.delivery_id
    returning a.*
  `.execute(trx);
  return result.rows.map((row) => ({
    deliveryId: row.delivery_id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    eventId: row.event_id,
    eventType: row.event_type,
    finishedAt: row.accepted_at,
    error: row.error,
  }));
}

/** Deletes unreported results that are older than the retention period of the history. */
export async function deleteOldWorkflowDeliveries(db: AnyDatabase, retentionDays: number): Promise<void> {
  await sql`
    delete from webhooks.acceptance where accepted_at < now() - make_interval(days => ${retentionDays}::int)
  `.execute(db);
}
