import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { beginChain } from '../rules/chain.ts';
import { tables, type AuditLogRow, type AuditSealRow } from '../../schema.ts';

const LOCK = sql`hashtextextended('gateway.audit_seal', 0)`;

/** Takes the advisory lock for sealing, and waits until it is free: only one transaction seals at a time. */
export async function lockSealing(trx: AnyTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/** Takes the advisory lock for sealing; returns false if another transaction is sealing. */
export async function tryLockSealing(trx: AnyTransaction): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/**
 * Removes the oldest rows of one account, or of all accounts, from the queue of rows that have no seal yet. Returns
 * these rows, sorted by account and id.
 */
export async function takeUnsealed(
  trx: AnyTransaction,
  { accountId, limit }: { readonly accountId: string | undefined; readonly limit: number },
): Promise<AuditLogRow[]> {
  const own = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  const { rows } = await sql<AuditLogRow>`
    with taken as (
      delete from gateway.audit_unsealed
      where audit_id in (select audit_id from gateway.audit_unsealed where ${own} order by audit_id limit ${limit})
      returning audit_id
    )
    select log.* from gateway.audit_log log join taken on taken.audit_id = log.id order by log.account_id, log.id
  `.execute(trx);
  return rows;
}

type Head = Pick<AuditSealRow, 'account_id' | 'number' | 'digest'>;

/** Returns the last seal of each of these accounts; accounts without seals are omitted. */
export function findHeads(db: AnyDatabase, accountIds: readonly string[]): Promise<Head[]> {
  return tables(db)
    .selectFrom('gateway.audit_seal')
    .distinctOn('account_id')
    .select(['account_id', 'number', 'digest'])
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('number', 'desc')
    .execute();
}

export async function insertSeals(trx: AnyTransaction, seals: readonly AuditSealRow[]): Promise<void> {
  await tables(trx)
    .insertInto('gateway.audit_seal')
    .values([...seals])
    .execute();
}

/** A seal with its rows, in the order in which its digest covers them. Deleted rows are not included. */
export interface SealedRows {
  readonly seal: AuditSealRow;
  readonly rows: readonly AuditLogRow[];
}

/** Returns the first seal after this number; undefined if there is none. */
export async function findNextSeal(
  db: AnyDatabase,
  { accountId, after }: { readonly accountId: string; readonly after: number },
): Promise<SealedRows | undefined> {
  const seal = await tables(db)
    .selectFrom('gateway.audit_seal')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (seal === undefined) return undefined;
  const rows = await tables(db)
    .selectFrom('gateway.audit_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', seal.audit_ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { seal, rows: seal.audit_ids.flatMap((id) => byId.get(id) ?? []) };
}

/**
 * Returns the digest of a seal; undefined if there is no such seal. For 0, returns the digest that precedes the first
 * seal.
 */
export async function findSealDigest(
  db: AnyDatabase,
  { accountId, number }: { readonly accountId: string; readonly number: number },
): Promise<Buffer | undefined> {
  if (number === 0) return beginChain(accountId);
  const seal = await tables(db)
    .selectFrom('gateway.audit_seal')
    .select('digest')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst();
  return seal?.digest;
}

/**
 * Counts the rows of the account that wait for a seal, and the rows that neither wait for a seal nor have one. The
 * service never writes rows of the second kind.
 */
export async function countUnsealed(
  db: AnyDatabase,
  accountId: string,
): Promise<{ readonly unsealed: number; readonly unknown: number }> {
  const { rows } = await sql<{ unsealed: number; unknown: number }>`
    with known as (
      select audit_id as id from gateway.audit_unsealed where account_id = ${accountId}
      union all select unnest(audit_ids) from gateway.audit_seal where account_id = ${accountId}
    )
    select (select count(*) from gateway.audit_unsealed where account_id = ${accountId}) as unsealed,
      (select count(*) from gateway.audit_log log where account_id = ${accountId}
        and not exists (select from known where known.id = log.id)) as unknown
  `.execute(db);
  return { unsealed: rows[0]?.unsealed ?? 0, unknown: rows[0]?.unknown ?? 0 };
}
