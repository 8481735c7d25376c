import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Channel on which the database notifies of changes, at the commit of each. */
export const CALLER_CHANNEL = 'steward_callers';
/** Account id of a change that concerns every account, such as a change to a built-in role. */
export const EVERY_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** One past the highest transaction id that was completed when the snapshot was taken. */
const NEXT_XID = sql`pg_snapshot_xmax(pg_current_snapshot())`;

/**
 * Changes that a snapshot does not contain; the first two conditions use the index. A restored dump contains changes
 * with transaction ids of another server, which this server may not have assigned yet. Such changes are excluded,
 * because no snapshot would contain them.
 */
const unseenIn = (snapshot: ReturnType<typeof sql>) => sql`
  change.xid >= pg_snapshot_xmin(${snapshot}) and change.xid < ${NEXT_XID}
  and not pg_visible_in_snapshot(change.xid, ${snapshot})`;

/**
 * Stores a lease, and returns its first snapshot. Deletes a former lease of the process, because writers would
 * otherwise wait for it. The new lease has another id, because a process that has seen that the former lease was not
 * renewed may still delete that lease.
 */
export async function insertCallerLease(
  db: AnyDatabase,
  { id, leaseMs, formerId }: { readonly id: string; readonly leaseMs: number; readonly formerId: string | undefined },
): Promise<string> {
  const { rows } = await sql<{ acked: string }>`
    with former as (delete from gateway.caller_lease where id = ${formerId ?? null}::uuid)
    insert into gateway.caller_lease (id, acked, lease_ms) values (${id}, pg_current_snapshot(), ${leaseMs})
    returning acked::text as acked
  `.execute(db);
  return rows[0]?.acked as string;
}

export interface CallerRenewal {
  /**
   * Every change that is visible in this snapshot is in `changed`, was in the `changed` of an earlier renewal, or is
   * older than the lease.
   */
  readonly snapshot: string;
  readonly changed: readonly string[];
}

/**
 * Renews the lease, and stores that the process has applied the changes that are visible in `acked`. Returns the
 * accounts with later changes; undefined if there is no such lease any more.
 */
export async function renewCallerLease(
  db: AnyDatabase,
  { id, acked }: { readonly id: string; readonly acked: string },
): Promise<CallerRenewal | undefined> {
  const { rows } = await sql<CallerRenewal & { held: boolean }>`
    with renewed as (
      update gateway.caller_lease set acked = ${acked}::pg_snapshot, renewals = renewals + 1 where id = ${id}
      returning id
    )
    select exists (select from renewed) as held, pg_current_snapshot()::text as snapshot, array(
      select distinct change.account_id::text from gateway.caller_change change where ${unseenIn(sql`${acked}::pg_snapshot`)}
    ) as changed
  `.execute(db);
  const [row] = rows;
  return row?.held === true ? row : undefined;
}

export async function deleteCallerLease(db: AnyDatabase, id: string): Promise<void> {
  await sql`delete from gateway.caller_lease where id = ${id}`.execute(db);
}

/**
 * A lease as another process sees it: if two reads return the same number of renewals, it was not renewed between them.
 */
export interface SeenLease {
  readonly id: string;
  readonly renewals: string;
  readonly leaseMs: number;
}

export async function listCallerLeases(db: AnyDatabase): Promise<readonly SeenLease[]> {
  const { rows } = await sql<SeenLease>`
    select id, renewals::text as renewals, lease_ms as "leaseMs" from gateway.caller_lease
  `.execute(db);
  return rows;
}

/**
 * Deletes these leases, whose processes have ended or no longer renew them; a lease that has been renewed since it was
 * read is kept.
 */
export async function deleteDeadLeases(db: AnyDatabase, leases: readonly SeenLease[]): Promise<void> {
  const [ids, renewals] = [leases.map(({ id }) => id), leases.map((lease) => lease.renewals)];
  await sql`
    delete from gateway.caller_lease lease using unnest(${ids}::uuid[], ${renewals}::bigint[]) dead (id, renewals)
    where lease.id = dead.id and lease.renewals = dead.renewals
  `.execute(db);
}

/**
 * Deletes the changes that the processes of all leases have applied, and changes that come from another server through
 * a restored dump.
 */
export async function pruneCallerChanges(db: AnyDatabase): Promise<void> {
  await sql`
    delete from gateway.caller_change change where change.xid >= ${NEXT_XID} or not exists (
      select from gateway.caller_lease lease where not pg_visible_in_snapshot(change.xid, lease.acked)
    )
  `.execute(db);
}

export interface LeasesBehind {
  /** Snapshot of everything that was committed before the first query. */
  readonly snapshot: string;
  readonly leases: readonly SeenLease[];
}

/**
 * Returns the leases whose processes have not applied all committed changes; with `first`, the result of an earlier
 * query, only the leases and the changes of that result are considered.
 */
export async function findLeasesBehind(db: AnyDatabase, first?: LeasesBehind): Promise<LeasesBehind> {
  const among = first === undefined ? sql`true` : sql`lease.id = any(${first.leases.map(({ id }) => id)}::uuid[])`;
  const until =
    first === undefined ? sql`true` : sql`pg_visible_in_snapshot(change.xid, ${first.snapshot}::pg_snapshot)`;
  const { rows } = await sql<SeenLease & { snapshot: string }>`
    select pg_current_snapshot()::text as snapshot, lease.id, lease.renewals::text as renewals, lease.lease_ms as "leaseMs"
    from gateway.caller_lease lease
    where ${among} and exists (
      select from gateway.caller_change change where ${unseenIn(sql`lease.acked`)} and ${until}
    )
  `.execute(db);
  return { snapshot: first?.snapshot ?? rows[0]?.snapshot ?? '', leases: rows };
}
