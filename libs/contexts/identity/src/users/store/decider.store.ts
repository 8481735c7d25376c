import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** A person who may decide approvals: active, with a password, and with a role that allows it. */
export interface Decider {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly role: string;
}

const COLUMNS = sql`u.id as "userId", u.username, u.email, r.name as role`;
const MAY_DECIDE = sql`u.is_active and u.password_hash is not null and 'decide_approvals' = any (r.permissions)`;

/**
 * Returns the deciders with one of the given ids or roles, or all deciders of the account, in the order of their
 * creation.
 */
export async function listDeciders(
  db: AnyDatabase,
  list: {
    readonly accountId: string;
    /** Ids and roles of the wanted users; undefined: all users. */
    readonly wanted: { readonly userIds: readonly string[]; readonly roles: readonly string[] } | undefined;
    readonly limit: number;
  },
): Promise<Decider[]> {
  const { accountId, wanted, limit } = list;
  const { rows } = await sql<Decider>`
    select ${COLUMNS} from gateway.user_account u join gateway.role r on r.id = u.role_id
    where u.account_id = ${accountId} and ${MAY_DECIDE}
      and (${wanted === undefined} or u.id = any (${[...(wanted?.userIds ?? [])]}::uuid[])
        or r.name = any (${[...(wanted?.roles ?? [])]}::text[]))
    order by u.id limit ${limit}
  `.execute(db);
  return rows;
}

export async function findDecider(
  db: AnyDatabase,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<Decider | undefined> {
  const { rows } = await sql<Decider>`
    select ${COLUMNS} from gateway.user_account u join gateway.role r on r.id = u.role_id
    where u.account_id = ${accountId} and u.id = ${userId} and ${MAY_DECIDE}
  `.execute(db);
  return rows[0];
}

/** Returns users who may change approval workflows, ordered by creation. */
export async function listWorkflowManagers(
  db: AnyDatabase,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<Decider[]> {
  const { rows } = await sql<Decider>`
    select ${COLUMNS} from gateway.user_account u join gateway.role r on r.id = u.role_id
    where u.account_id = ${accountId} and u.is_active and u.password_hash is not null
      and 'manage_approval_workflows' = any (r.permissions)
    order by u.id limit ${limit}
  `.execute(db);
  return rows;
}
