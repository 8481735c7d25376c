import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { GRANT_SUBJECT_TYPES, type AccountScopeGrant } from '../account-scope-grant.ts';

/** Subjects whose grants apply to an agent's search. No grant is looked up for a subject whose id is undefined. */
export interface GrantSubjects {
  readonly accountId: string;
  readonly apiKeyId?: string | undefined;
  readonly managedAgentId?: string | undefined;
}

const ORDER = sql`array_position(${sql.lit(`{${GRANT_SUBJECT_TYPES.join(',')}}`)}::text[], subject_type)`;

/** Returns all grants of an account: those of keys, agents and the account itself, each ordered by id. */
export async function listAccountScopeGrants(db: AnyDatabase, accountId: string): Promise<AccountScopeGrant[]> {
  const { rows } = await sql<AccountScopeGrant>`
    select subject_type as "subjectType", subject_id as "subjectId", is_granted as "isGranted"
    from search.account_scope_grant where account_id = ${accountId} order by ${ORDER}, subject_id
  `.execute(db);
  return rows;
}

/** Returns the first explicit value in the order key, agent, account; undefined if there is none. */
export async function findFirstGrant(db: AnyDatabase, subjects: GrantSubjects): Promise<boolean | undefined> {
  const { accountId, apiKeyId = null, managedAgentId = null } = subjects;
  const { rows } = await sql<{ isGranted: boolean }>`
    select is_granted as "isGranted" from search.account_scope_grant
    where account_id = ${accountId} and (subject_type, subject_id) in
      (('api_key', ${apiKeyId}::text), ('managed_agent', ${managedAgentId}::text), ('account', ${accountId}::text))
    order by ${ORDER} limit 1
  `.execute(db);
  return rows[0]?.isGranted;
}

/** Returns the grants of an account, and locks them until the transaction ends, so that saves are serialized. */
export async function lockAccountScopeGrants(trx: AnyTransaction, accountId: string): Promise<AccountScopeGrant[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account scope grants ${accountId}`}, 0))`.execute(trx);
  return listAccountScopeGrants(trx, accountId);
}

export async function replaceAccountScopeGrants(
  trx: AnyTransaction,
  accountId: string,
  grants: readonly AccountScopeGrant[],
): Promise<void> {
  await sql`delete from search.account_scope_grant where account_id = ${accountId}`.execute(trx);
  await sql`
    insert into search.account_scope_grant (account_id, subject_type, subject_id, is_granted)
    select ${accountId}, * from unnest(${grants.map((grant) => grant.subjectType)}::text[],
      ${grants.map((grant) => grant.subjectId)}::text[], ${grants.map((grant) => grant.isGranted)}::boolean[])
  `.execute(trx);
}
