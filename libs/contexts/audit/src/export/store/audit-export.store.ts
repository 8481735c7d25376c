import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { findPruned } from '../../retention/store/audit-pruned.store.ts';
import { beginChain } from '../../seals/rules/chain.ts';
import { tables, type AuditExportRow, type AuditPrunedRow } from '../../schema.ts';

const ACCOUNTS_PER_PAGE = 100;
/**
 * Limits of one object, which is written to a temporary file first. The last seal of an object may exceed the limit of
 * entries.
 */
const SEALS_PER_OBJECT = 1000;
const ENTRIES_PER_OBJECT = 20_000;

/** Returns a page of accounts that have a seal that is not exported yet, without reading all seals. */
export async function listExportableAccounts(db: AnyDatabase, after: string | undefined): Promise<AccountPage> {
  const rest = after === undefined ? sql`true` : sql`account_id > ${after}`;
  const { rows } = await sql<{ account_id: string; is_behind: boolean }>`
    with recursive page (account_id, place) as (
      (select account_id, 1 from gateway.audit_seal where ${rest} order by account_id limit 1)
      union all
      select next.account_id, page.place + 1
      from page cross join lateral (
        select seal.account_id from gateway.audit_seal seal
        where seal.account_id > page.account_id order by seal.account_id limit 1
      ) next
      where page.place < ${ACCOUNTS_PER_PAGE}
    )
    select page.account_id, (
      select max(seal.number) from gateway.audit_seal seal where seal.account_id = page.account_id
    ) > coalesce(own.number, 0) as is_behind
    from page left join gateway.audit_export own on own.account_id = page.account_id
    order by page.account_id
  `.execute(db);
  return {
    accountIds: rows.flatMap((row) => (row.is_behind ? [row.account_id] : [])),
    last: rows.length < ACCOUNTS_PER_PAGE ? undefined : rows.at(-1)?.account_id,
  };
}

export interface AccountPage {
  readonly accountIds: readonly string[];
  /** The next page begins after this account; undefined if there is none. */
  readonly last: string | undefined;
}

/** The seals of one object: those after `number` up to `last`. */
export interface PlannedObject extends Pick<AuditExportRow, 'number' | 'digest' | 'removed_entries'> {
  readonly last: number;
}

/**
 * Plans the next object of an account for this process: an object that another process did not finish is planned again
 * with the same seals. Returns undefined if there is nothing to store, and `busy` if another process is storing an
 * object.
 */
export async function planObject(
  trx: AnyTransaction,
  { accountId, leaseSeconds }: { readonly accountId: string; readonly leaseSeconds: number },
): Promise<PlannedObject | 'busy' | undefined> {
  const first = { account_id: accountId, number: 0, digest: beginChain(accountId) };
  await tables(trx)
    .insertInto('gateway.audit_export')
    .values(first)
    .onConflict((on) => on.doNothing())
    .execute();
  const own = await tables(trx)
    .selectFrom('gateway.audit_export')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('planned_until', 'is', null), where('planned_until', '<', sql<Date>`now()`)]))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (own === undefined) return 'busy';
  const pruned = await findPruned(trx, accountId);
  const planned = isPlanWhole(own, pruned) ? own.planned : null;
  const start = planned === null ? findStart(own, pruned) : own;
  const last = planned ?? (await findLast(trx, { accountId, after: start.number }));
  if (last === undefined) return undefined;
  const { number, digest, removed_entries: removed } = start;
  await tables(trx)
    .updateTable('gateway.audit_export')
    .set({ number, digest, removed_entries: removed, planned: last })
    .set({ planned_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
    .where('account_id', '=', accountId)
    .execute();
  return { number, digest, removed_entries: removed, last };
}

type Start = Pick<AuditExportRow, 'number' | 'digest' | 'removed_entries'>;

/**
 * Returns false if retention removed seals of the planned object while the export was disabled: that object can no
 * longer be written, and another one is planned instead.
 */
function isPlanWhole(own: AuditExportRow, pruned: AuditPrunedRow | undefined): boolean {
  return pruned === undefined || pruned.number <= own.number;
}

/**
 * Returns the last seal before the next object. Seals that retention removed before they were exported are missing from
 * the objects; the next object states how many entries were removed.
 */
function findStart(own: AuditExportRow, pruned: AuditPrunedRow | undefined): Start {
  if (pruned === undefined || pruned.number <= own.number) return { ...own, removed_entries: null };
  return { number: pruned.number, digest: pruned.digest, removed_entries: pruned.entries };
}

async function findLast(
  trx: AnyTransaction,
  { accountId, after }: { readonly accountId: string; readonly after: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number | null }>`
    select max(number) as number from (
      select number, sum(entries) over (order by number) - entries as entries_before from (
        select number, cardinality(audit_ids) as entries from gateway.audit_seal
        where account_id = ${accountId} and number > ${after} order by number limit ${SEALS_PER_OBJECT}
      ) next
    ) seal where entries_before < ${ENTRIES_PER_OBJECT}
  `.execute(trx);
  return rows[0]?.number ?? undefined;
}

/** Records that an object is stored, unless the lease has ended and another process has recorded the object since. */
export async function completeObject(
  db: AnyDatabase,
  { accountId, last, digest }: { readonly accountId: string; readonly last: number; readonly digest: Buffer },
): Promise<void> {
  await tables(db)
    .updateTable('gateway.audit_export')
    .set({ number: last, digest, removed_entries: null, planned: null, planned_until: null })
    .set({ exported_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('planned', '=', last)
    .execute();
}

/** Releases the lease, so that another attempt can begin immediately; the planned object stays the same. */
export async function releaseObject(db: AnyDatabase, accountId: string): Promise<void> {
  await tables(db)
    .updateTable('gateway.audit_export')
    .set({ planned_until: null })
    .where('account_id', '=', accountId)
    .execute();
}

/** Returns the number of the last exported seal of an account; 0 if there is none. */
export async function findExported(db: AnyDatabase, accountId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('gateway.audit_export')
    .select('number')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.number ?? 0;
}
