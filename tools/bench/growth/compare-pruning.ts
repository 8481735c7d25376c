import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { pruneAudits } from '@steward/audit';
import { deleteInBatches, printRemovals } from './compare-removals.ts';
import { GROWING_KINDS } from './growing-kinds.ts';
import { measureWrites } from './measure-writes.ts';

const ROWS_PER_SEAL = 1000;
const ROWS_PER_DELETE = 10_000;
/** An id greater than those of all rows. */
const LAST_ID = 'f0000000-0000-7000-8000-000000000000';

/** Statements that turn a table whose ids ascend with time into a partition, while others write to it. */
const CHECK = `alter table gateway.audit_part add constraint is_old check (id < '${LAST_ID}') not valid;
  alter table gateway.audit_part validate constraint is_old`;
const ATTACH = `begin; create table gateway.audit_parts (like gateway.audit_part including all) partition by range (id);
  alter table gateway.audit_parts attach partition gateway.audit_part for values from (minvalue) to ('${LAST_ID}'); commit`;

/**
 * Removes the same number of entries of the audit log in three ways: seal by seal, as the service does; row by row, in
 * batches; and as a partition of a copy of the table.
 */
export async function comparePruning(database: Database, rows: number): Promise<void> {
  const { pool } = database;
  const audit = GROWING_KINDS.find(({ name }) => name === 'audit');
  if (audit === undefined) throw new Error('no kind is called audit');
  const accountId = newId();
  await pool.query('alter table gateway.audit_log disable trigger user');
  await pool.query(audit.insert, [accountId, rows]);
  await pool.query(
    `create table gateway.audit_part (like gateway.audit_log including all);
     create table gateway.audit_rows (like gateway.audit_log including all)`,
  );
  for (const table of ['audit_part', 'audit_rows'])
    await pool.query(`insert into gateway.${table} select * from gateway.audit_log where account_id = $1`, [accountId]);
  // The values of the digests are irrelevant here.
  await pool.query(
    `insert into gateway.audit_seal (account_id, number, audit_ids, previous_digest, digest, sealed_at)
     select $1, n / ${ROWS_PER_SEAL} + 1, array_agg(id order by id), decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'),
       now() - interval '90 days'
     from (select id, row_number() over (order by id) - 1 as n from gateway.audit_log where account_id = $1) l
     group by n / ${ROWS_PER_SEAL}`,
    [accountId],
  );
  await pool.query('vacuum (analyze) gateway.audit_log, gateway.audit_part, gateway.audit_rows, gateway.audit_seal');
  const results = [
    ['becoming a partition: check', await measureWrites(database, () => pool.query(CHECK))],
    ['becoming a partition: lock', await measureWrites(database, () => pool.query(ATTACH))],
    [
      'seal by seal',
      await measureWrites(database, () => pruneAudits(database.db, { now: new Date(), retentionDays: 30 })),
    ],
    ['its vacuum', await measureWrites(database, () => pool.query('vacuum gateway.audit_log, gateway.audit_seal'))],
    ['row by row', await measureWrites(database, () => deleteRows(database))],
    ['its vacuum', await measureWrites(database, () => pool.query('vacuum gateway.audit_rows'))],
    ['as a partition', await measureWrites(database, () => pool.query('drop table gateway.audit_part'))],
  ] as const;
  printRemovals(`${rows} entries of the audit log`, results);
}

function deleteRows(database: Database): Promise<void> {
  return deleteInBatches(
    database,
    `delete from gateway.audit_rows where id in (select id from gateway.audit_rows order by id limit ${ROWS_PER_DELETE})`,
  );
}
