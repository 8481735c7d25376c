import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { AcceptanceTable } from '../../schema.ts';

/** A receiver of an approval workflow accepted an event. */
export interface Acceptance {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly workflowId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly acceptedAt: Date;
}

/** Takes the oldest acceptances; they are gone when the transaction commits and are back when it does not. */
export async function takeAcceptances(trx: AnyTransaction, limit: number): Promise<Acceptance[]> {
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
    acceptedAt: row.accepted_at,
  }));
}

/** What nobody was told of until its delivery left the history. */
export async function deleteOldAcceptances(db: AnyDatabase, retentionDays: number): Promise<void> {
  await sql`
    delete from webhooks.acceptance where accepted_at < now() - make_interval(days => ${retentionDays}::int)
  `.execute(db);
}
