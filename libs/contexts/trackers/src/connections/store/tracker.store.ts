import { sql, type RawBuilder } from 'kysely';
import { pageById, requireQuota, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type TrackerRow } from '../../schema.ts';

/** Maximum number of trackers per account (LIM-96). */
const MAX_TRACKERS = 100;

export interface TrackerKey {
  readonly accountId: string;
  readonly id: string;
}

const selectTrackers = (db: AnyDatabase, accountId: string) =>
  tables(db).selectFrom('trackers.tracker').selectAll().where('account_id', '=', accountId);

/** Lists connections, newest first; one row more than requested shows whether there is another page. */
export function listTrackers(db: AnyDatabase, page: IdPage): Promise<TrackerRow[]> {
  return selectTrackers(db, page.accountId)
    .$call((query) => pageById(query, page))
    .execute();
}

/** Returns all connections, ordered by name. */
export function listAllTrackers(db: AnyDatabase, accountId: string): Promise<TrackerRow[]> {
  return selectTrackers(db, accountId).orderBy('name').execute();
}

/**
 * Returns SQL for the change counter of an account's trackers; `accountColumn` is the name of the column with the
 * account id.
 */
export function selectTrackersRevision(accountColumn: string): RawBuilder<number> {
  return sql`coalesce((select r.revision from trackers.revision r where r.account_id = ${sql.ref(accountColumn)}), 0)`;
}

export function findTracker(db: AnyDatabase, { accountId, id }: TrackerKey): Promise<TrackerRow | undefined> {
  return selectTrackers(db, accountId).where('id', '=', id).executeTakeFirst();
}

/** Locks the connection against changes and deletion until the transaction ends. */
export function lockTracker(trx: AnyTransaction, { accountId, id }: TrackerKey): Promise<TrackerRow | undefined> {
  return selectTrackers(trx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();
}

export function insertTracker(trx: AnyTransaction, row: TrackerRow): Promise<TrackerRow> {
  return tables(trx).insertInto('trackers.tracker').values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateTrackerRow(trx: AnyTransaction, row: TrackerRow): Promise<TrackerRow> {
  const { account_id: accountId, id, ...columns } = row;
  return tables(trx)
    .updateTable('trackers.tracker')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a connection and the rows of its hooks; the hooks at the tracker remain. */
export async function deleteTrackerRow(trx: AnyTransaction, { accountId, id }: TrackerKey): Promise<void> {
  await tables(trx).deleteFrom('trackers.tracker').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/**
 * Checks that the account may have another tracker.
 * @throws quota_reached
 */
export async function requireTrackerQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from trackers.tracker where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'trackers', limit: MAX_TRACKERS, rows });
}
