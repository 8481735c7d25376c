import { sql } from 'kysely';
import type { ModelLimits } from '@steward/contracts';
import { pageById, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type ApiKeyRow, type NewApiKeyRow } from '../../schema.ts';

/** Describes the keys that a caller may see and revoke. */
export interface KeyReach {
  readonly accountId: string;
  /** Owner of the keys; undefined: all keys of the account. */
  readonly userId?: string | undefined;
  /** For a caller that is a key: only that key and its descendants. */
  readonly belowKeyId?: string | undefined;
}

function selectKeys(db: AnyDatabase, reach: KeyReach) {
  const { userId, belowKeyId } = reach;
  return tables(db)
    .selectFrom('gateway.api_key')
    .selectAll()
    .where('account_id', '=', reach.accountId)
    .where('revoked_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
    .$if(belowKeyId !== undefined, (query) =>
      query.where(sql<boolean>`(id = ${belowKeyId} or ${belowKeyId}::uuid = any(ancestor_ids))`),
    );
}

/** Lists keys newest first; one more than `limit` if there is another page. */
export function listKeys(db: AnyDatabase, filter: KeyReach & IdPage): Promise<ApiKeyRow[]> {
  return pageById(selectKeys(db, filter), filter).execute();
}

export function findKey(db: AnyDatabase, reach: KeyReach, keyId: string): Promise<ApiKeyRow | undefined> {
  return selectKeys(db, reach).where('id', '=', keyId).executeTakeFirst();
}

/** Returns those of the ids that belong to unrevoked keys of the account. */
export async function findLiveKeyIds(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (key.ids.length === 0) return new Set();
  const found = await tables(db)
    .selectFrom('gateway.api_key')
    .select('id')
    .where('account_id', '=', key.accountId)
    .where('revoked_at', 'is', null)
    .where('id', 'in', key.ids)
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Returns whether a key that is not revoked is bound to this agent. */
export async function isAgentOfKey(
  db: AnyDatabase,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
): Promise<boolean> {
  const found = await tables(db)
    .selectFrom('gateway.api_key')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('runtime_principal_id', '=', agentId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export function insertApiKey(trx: AnyTransaction, row: NewApiKeyRow): Promise<ApiKeyRow> {
  return tables(trx).insertInto('gateway.api_key').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateKey(
  trx: AnyTransaction,
  reach: KeyReach,
  id: string,
  { name, modelLimits }: { readonly name?: string | undefined; readonly modelLimits?: ModelLimits | null | undefined },
): Promise<ApiKeyRow | undefined> {
  const limits = modelLimits === null || modelLimits === undefined ? null : JSON.stringify(modelLimits);
  const key = await findKey(trx, reach, id);
  if (key === undefined || (name === undefined && modelLimits === undefined)) return key;
  return tables(trx)
    .updateTable('gateway.api_key')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(modelLimits === undefined ? {} : { model_limits: limits }),
    })
    .where('account_id', '=', reach.accountId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Revokes a key and its descendants. Returns the number of keys that were revoked. */
export async function revokeApiKey(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly id: string; readonly now: Date },
): Promise<number> {
  const revoked = await sql`
    update gateway.api_key set revoked_at = ${key.now}
    where account_id = ${key.accountId} and revoked_at is null and (id = ${key.id} or ${key.id}::uuid = any(ancestor_ids))
  `.execute(trx);
  return Number(revoked.numAffectedRows ?? 0n);
}

/** Revokes all keys of a user. Returns the number of keys that were revoked. */
export async function revokeKeysOfUser(trx: AnyTransaction, userId: string, now: Date): Promise<number> {
  const revoked = await sql`
    update gateway.api_key set revoked_at = ${now} where user_id = ${userId} and revoked_at is null
  `.execute(trx);
  return Number(revoked.numAffectedRows ?? 0n);
}

/** Returns true if the user is active; the user then remains active until the transaction ends. */
export async function holdActiveUser(trx: AnyTransaction, userId: string): Promise<boolean> {
  const found = await sql`select from gateway.user_account where id = ${userId} and is_active for share`.execute(trx);
  return found.rows.length > 0;
}

/** Principal type of keys that are bound to agents in the account's registry. */
export const MANAGED_AGENT = 'managed_agent';

interface AgentOfKeys {
  readonly accountId: string;
  readonly agentId: string;
}

/**
 * Suspends the keys of an agent, or ends their suspension. Called while the agent is locked; creating a key bound to
 * the agent takes the same lock.
 */
export async function suspendKeysOfAgent(
  trx: AnyTransaction,
  { accountId, agentId, isSuspended }: AgentOfKeys & { readonly isSuspended: boolean },
): Promise<void> {
  await sql`
    update gateway.api_key set is_suspended = ${isSuspended}
    where account_id = ${accountId} and runtime_principal_id = ${agentId} and runtime_principal_type = ${MANAGED_AGENT}
      and revoked_at is null and is_suspended <> ${isSuspended}
  `.execute(trx);
}

/** Revokes all keys of an agent. Returns the number of keys that were revoked. */
export async function revokeKeysOfAgent(
  trx: AnyTransaction,
  { accountId, agentId, now }: AgentOfKeys & { readonly now: Date },
): Promise<number> {
  const revoked = await sql`
    update gateway.api_key set revoked_at = ${now}
    where account_id = ${accountId} and runtime_principal_id = ${agentId} and runtime_principal_type = ${MANAGED_AGENT}
      and revoked_at is null
  `.execute(trx);
  return Number(revoked.numAffectedRows ?? 0n);
}

/** Rebinds the keys of one agent to another. Returns their number. */
export async function moveKeysOfAgent(
  trx: AnyTransaction,
  move: AgentOfKeys & { readonly to: string; readonly toName: string; readonly isSuspended: boolean },
): Promise<number> {
  const { accountId, agentId, to, toName, isSuspended } = move;
  const moved = await sql`
    update gateway.api_key set runtime_principal_id = ${to}, runtime_principal_name = ${toName}, is_suspended = ${isSuspended}
    where account_id = ${accountId} and runtime_principal_id = ${agentId} and runtime_principal_type = ${MANAGED_AGENT}
      and revoked_at is null
  `.execute(trx);
  return Number(moved.numAffectedRows ?? 0n);
}
