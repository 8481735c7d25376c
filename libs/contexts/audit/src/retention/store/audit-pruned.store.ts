import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables, type AuditPrunedRow } from '../../schema.ts';

/** Action of the entry that records a removal. */
export const PRUNE = 'prune';

const ACCOUNTS_PER_PAGE = 100;

/**
 * Returns a page of accounts that have a seal to remove: it is older than the cutoff, is not the newest seal of its
 * account, and covers entries other than the records of removals. Without the last condition, each removal in an idle
 * account would lead to another one.
 */
export async function listPrunableAccounts(
  db: AnyDatabase,
  { cutoff, after }: { readonly cutoff: Date; readonly after: string | undefined },
): Promise<string[]> {
  const rest = after === undefined ? sql`true` : sql`seal.account_id > ${after}`;
  const { rows } = await sql<{ account_id: string }>`
    select seal.account_id from gateway.audit_seal seal
    where seal.sealed_at < ${cutoff} and ${rest}
      and seal.number < (select max(newest.number) from gateway.audit_seal newest where newest.account_id = seal.account_id)
      and exists (select from gateway.audit_log log where log.id = any(seal.audit_ids) and log.action <> ${PRUNE})
    group by seal.account_id order by seal.account_id limit ${ACCOUNTS_PER_PAGE}
  `.execute(db);
  return rows.map((row) => row.account_id);
}

/**
 * Returns how many of the oldest seals of an account one transaction may remove: at most `seals`, and none after
 * `upTo`. Seals are counted until they have `entries` entries; the last one may exceed this limit, so that at least one
 * seal can be removed.
 */
export async function countBatch(
  trx: AnyTransaction,
  given: { readonly accountId: string; readonly upTo: number; readonly seals: number; readonly entries: number },
): Promise<number> {
  const { rows } = await sql<{ seals: number }>`
    select count(*) as seals from (
      select sum(entries) over (order by number) - entries as entries_before from (
        select number, cardinality(audit_ids) as entries from gateway.audit_seal
        where account_id = ${given.accountId} and number <= ${given.upTo} order by number limit ${given.seals}
      ) oldest
    ) seal where entries_before < ${given.entries}
  `.execute(trx);
  return rows[0]?.seals ?? 0;
}

export interface PrunedSeals extends Pick<AuditPrunedRow, 'number' | 'digest'> {
  readonly seals: number;
  readonly entries: number;
}

/**
 * Removes the oldest seals of an account with their entries; returns undefined if there is nothing to remove. The
 * database rejects a cutoff within the last 30 days. Because the caller's clock may be ahead, the statement limits the
 * cutoff by the database's clock.
 */
export async function pruneSeals(
  trx: AnyTransaction,
  { accountId, cutoff, most }: { readonly accountId: string; readonly cutoff: Date; readonly most: number },
): Promise<PrunedSeals | undefined> {
  const { rows } = await sql<PrunedSeals>`
    select seals, entries, number, digest
    from gateway.prune_audits(${accountId}, least(${cutoff}::timestamptz, now() - interval '30 days'), ${most})
  `.execute(trx);
  return rows[0];
}

/** Finds the record of what retention has removed in an account; undefined if it has removed nothing. */
export function findPruned(db: AnyDatabase, accountId: string): Promise<AuditPrunedRow | undefined> {
  return tables(db)
    .selectFrom('gateway.audit_pruned')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}
