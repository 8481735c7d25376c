import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { PolicyDocument } from '../../document/rules/policy-document.ts';
import { tables, type DocumentFormat } from '../../schema.ts';
import type { FullPolicyVersion, PolicyVersion } from '../policy-version.ts';

export interface NewVersion {
  readonly accountId: string;
  readonly version: number;
  readonly text: string;
  readonly format: DocumentFormat;
  readonly document: PolicyDocument;
  readonly message: string | null;
  readonly rolledBackTo: number | null;
  readonly createdBy: string | null;
}

interface VersionRow {
  readonly version: number;
  readonly format: DocumentFormat;
  readonly message: string | null;
  readonly rolled_back_to: number | null;
  readonly rules: number;
  readonly created_by: string | null;
  readonly created_at: Date;
}

const COLUMNS = sql`version, format, message, rolled_back_to, coalesce(jsonb_array_length(document -> 'rules'), 0) as rules,
  created_by, created_at`;

/** Returns the number of the version in force, which is 0 until a policy is applied. */
export async function findHead(db: AnyDatabase, accountId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('policies.policy_head')
    .select('version')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** Returns SQL for the number of the version in force; the given column contains the id of the account. */
export function selectPolicyVersion(accountColumn: string): RawBuilder<number> {
  return sql`coalesce((select h.version from policies.policy_head h where h.account_id = ${sql.ref(accountColumn)}), 0)`;
}

/**
 * Returns the number of the version in force, and locks the row that contains it: no other transaction can apply a
 * version until this transaction ends.
 */
export async function lockHead(trx: AnyTransaction, accountId: string): Promise<number> {
  await tables(trx)
    .insertInto('policies.policy_head')
    .values({ account_id: accountId, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { version } = await tables(trx)
    .selectFrom('policies.policy_head')
    .select('version')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return version;
}

/** Stores a version and puts it into force; the caller must hold the lock of `lockHead`. */
export async function insertVersion(trx: AnyTransaction, version: NewVersion): Promise<PolicyVersion> {
  const { accountId, text, format, document, message, rolledBackTo, createdBy } = version;
  const { rows } = await sql<VersionRow>`
    insert into policies.policy_version
      (account_id, version, source_text, format, document, message, rolled_back_to, created_by)
    values (${accountId}, ${version.version}, ${text}, ${format}, ${JSON.stringify(document)}::jsonb, ${message},
      ${rolledBackTo}, ${createdBy})
    returning ${COLUMNS}
  `.execute(trx);
  await tables(trx)
    .updateTable('policies.policy_head')
    .set({ version: version.version })
    .where('account_id', '=', accountId)
    .execute();
  return toVersion(rows[0] as VersionRow);
}

export async function findVersion(
  db: AnyDatabase,
  accountId: string,
  version: number,
): Promise<FullPolicyVersion | undefined> {
  const { rows } = await sql<VersionRow & { readonly source_text: string; readonly document: PolicyDocument }>`
    select ${COLUMNS}, source_text, document from policies.policy_version
    where account_id = ${accountId} and version = ${version}
  `.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : { ...toVersion(row), text: row.source_text, document: row.document };
}

/** Lists versions, newest first; reads one row more than requested, to show whether there is another page. */
export async function listVersions(
  db: AnyDatabase,
  {
    accountId,
    before,
    limit,
  }: { readonly accountId: string; readonly before: number | undefined; readonly limit: number },
): Promise<PolicyVersion[]> {
  const { rows } = await sql<VersionRow>`
    select ${COLUMNS} from policies.policy_version
    where account_id = ${accountId} and (${before ?? null}::integer is null or version < ${before ?? null})
    order by version desc limit ${limit + 1}
  `.execute(db);
  return rows.map(toVersion);
}

function toVersion(row: VersionRow): PolicyVersion {
  return {
    version: row.version,
    format: row.format,
    message: row.message,
    rolledBackTo: row.rolled_back_to,
    rules: row.rules,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
