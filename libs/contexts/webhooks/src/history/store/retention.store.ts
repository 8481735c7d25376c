import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Number of days whose partitions are created in advance; rows of later days are stored in the default partition. */
const DAYS_AHEAD = 7;

/** Creates the partitions of the coming days and drops those beyond the retention period. */
export async function maintainPartitions(
  db: AnyDatabase,
  retentionDays: number,
): Promise<{ action: string; partition: string }[]> {
  const result = await sql<{ action: string; partition_name: string }>`
    select action, partition_name from webhooks.maintain_partitions(${retentionDays}::int, ${DAYS_AHEAD}::int)
  `.execute(db);
  return result.rows.map((row) => ({ action: row.action, partition: row.partition_name }));
}

/**
 * Deletes one batch of events that are older than the retention period and to which neither a pending nor a finished
 * delivery refers. Returns the numbers of events read and deleted, and the position at which to continue.
 */
export async function deleteOldEvents(
  db: AnyDatabase,
  input: { readonly retentionDays: number; readonly after: Date; readonly batchSize: number },
): Promise<{ seen: number; deleted: number; lastCreatedAt: Date | undefined }> {
  const result = await sql<{ seen: number; deleted: number; last: Date | null }>`
    with old as (
      select account_id, id, created_at from webhooks.event
      where created_at > ${input.after} and created_at < now() - make_interval(days => ${input.retentionDays}::int)
      order by created_at limit ${input.batchSize}
    ), gone as (
      delete from webhooks.event v using old
      where v.account_id = old.account_id and v.id = old.id
        and not exists (select from webhooks.delivery d where d.account_id = old.account_id and d.event_id = old.id)
        -- Without the account: its index would tempt the planner where a partition has no statistics yet.
        and not exists (select from webhooks.delivery_done d where d.event_id = old.id)
      returning 1
    )
    select (select count(*)::int from old) as seen, (select count(*)::int from gone) as deleted,
      (select max(created_at) from old) as last
  `.execute(db);
  const row = result.rows[0];
  return { seen: row?.seen ?? 0, deleted: row?.deleted ?? 0, lastCreatedAt: row?.last ?? undefined };
}

export async function deleteOldRecoveries(db: AnyDatabase, retentionDays: number): Promise<void> {
  await sql`
    delete from webhooks.recovery_job where finished_at < now() - make_interval(days => ${retentionDays}::int)
  `.execute(db);
}

/**
 * Deletes secrets whose overlap ended more than a day ago, and endpoints that were deleted more than a day before the
 * retention period of the history began.
 */
export async function deleteOldEndpoints(db: AnyDatabase, retentionDays: number): Promise<void> {
  await sql`delete from webhooks.endpoint_secret where expires_at < now() - interval '1 day'`.execute(db);
  await sql`
    delete from webhooks.endpoint where deleted_at < now() - make_interval(days => ${retentionDays + 1}::int)
  `.execute(db);
}
