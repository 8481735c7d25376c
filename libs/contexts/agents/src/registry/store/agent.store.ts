import { sql } from 'kysely';
import { isUuid } from '@steward/crypto';
import { pageById, requireQuota, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type AgentRow } from '../../schema.ts';
import type { Agent, AgentKey, LifecycleState, RegistrationMethod } from '../agent.ts';
import { HOOKED_KINDS, SILENT_HOURS } from '../rules/find-warnings.ts';

export function toAgent(row: AgentRow): Agent {
  const { session_source_type: type, session_source_id: id } = row;
  return {
    accountId: row.account_id,
    id: row.id,
    agentKind: row.agent_kind,
    displayName: row.display_name,
    source: type === null || id === null ? undefined : { type, id },
    ownerUserId: row.owner_user_id,
    tags: row.tags,
    enrolledVia: row.enrolled_via as RegistrationMethod,
    lifecycleState: row.lifecycle_state as LifecycleState,
    lifecycleReason: row.lifecycle_reason,
    mergedInto: row.merged_into,
    isMergedSinceOnboarding: row.merged_since_onboarding,
    lastSeenAt: row.last_seen_at,
    lastModelCallAt: row.last_model_call_at,
    lastPermissionCheckAt: row.last_permission_check_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Maximum number of agents per account (LIM-68). */
const MAX_AGENTS = 2000;

/** Checks the limit; retired agents do not count. @throws quota_reached */
export function requireAgentQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from agents.agent where account_id = ${accountId} and lifecycle_state <> 'retired'`;
  return requireQuota(trx, { accountId, what: 'agents', limit: MAX_AGENTS, rows, remedy: 'Retire some' });
}

/** Inserts an agent. Returns false if the account already has an agent of this source. */
export async function insertAgent(trx: AnyTransaction, agent: Agent): Promise<boolean> {
  const inserted = await tables(trx)
    .insertInto('agents.agent')
    .values({
      account_id: agent.accountId,
      id: agent.id,
      agent_kind: agent.agentKind,
      display_name: agent.displayName,
      session_source_type: agent.source?.type ?? null,
      session_source_id: agent.source?.id ?? null,
      owner_user_id: agent.ownerUserId,
      tags: [...agent.tags],
      enrolled_via: agent.enrolledVia,
      lifecycle_state: agent.lifecycleState,
      lifecycle_reason: agent.lifecycleReason,
      merged_into: null,
      merged_since_onboarding: false,
      last_seen_at: null,
      last_model_call_at: null,
      last_permission_check_at: null,
      created_at: agent.createdAt,
      updated_at: agent.updatedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findAgent(db: AnyDatabase, { accountId, id }: AgentKey): Promise<Agent | undefined> {
  const row = await tables(db)
    .selectFrom('agents.agent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : toAgent(row);
}

/**
 * Locks an agent until the transaction ends. With `share`, the agent cannot change; with `update`, no other transaction
 * can lock it either.
 */
export async function lockAgent(
  trx: AnyTransaction,
  { accountId, id }: AgentKey,
  strength: 'share' | 'update',
): Promise<Agent | undefined> {
  const query = tables(trx)
    .selectFrom('agents.agent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  const row = await (strength === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst();
  return row === undefined ? undefined : toAgent(row);
}

export interface AgentFilter extends IdPage {
  readonly agentKind?: string | undefined;
  readonly lifecycleState?: LifecycleState | undefined;
  readonly tag?: string | undefined;
  /** Text that the name contains. */
  readonly text?: string | undefined;
}

/** Lists agents, newest first; one row more than requested shows whether there is another page. */
export async function listAgents(db: AnyDatabase, filter: AgentFilter): Promise<Agent[]> {
  const { agentKind, lifecycleState, tag, text } = filter;
  const rows = await tables(db)
    .selectFrom('agents.agent')
    .selectAll()
    .where('account_id', '=', filter.accountId)
    .$if(agentKind !== undefined, (query) => query.where('agent_kind', '=', agentKind as string))
    .$if(lifecycleState !== undefined, (query) => query.where('lifecycle_state', '=', lifecycleState as string))
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`${tag} = any (tags)`))
    .$if(text !== undefined, (query) => query.where(sql<boolean>`strpos(lower(display_name), lower(${text})) > 0`))
    .$call((query) => pageById(query, filter))
    .execute();
  return rows.map(toAgent);
}

export type AgentChange = Partial<
  Pick<
    Agent,
    | 'displayName'
    | 'ownerUserId'
    | 'tags'
    | 'lifecycleState'
    | 'lifecycleReason'
    | 'mergedInto'
    | 'isMergedSinceOnboarding'
  >
>;

export async function updateAgentRow(
  trx: AnyTransaction,
  { accountId, id }: AgentKey,
  change: AgentChange,
  now: Date,
): Promise<Agent> {
  const row = await tables(trx)
    .updateTable('agents.agent')
    .set({
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.ownerUserId === undefined ? {} : { owner_user_id: change.ownerUserId }),
      ...(change.tags === undefined ? {} : { tags: [...change.tags] }),
      ...(change.lifecycleState === undefined ? {} : { lifecycle_state: change.lifecycleState }),
      ...(change.lifecycleReason === undefined ? {} : { lifecycle_reason: change.lifecycleReason }),
      ...(change.mergedInto === undefined ? {} : { merged_into: change.mergedInto }),
      ...(change.isMergedSinceOnboarding === undefined
        ? {}
        : { merged_since_onboarding: change.isMergedSinceOnboarding }),
      updated_at: now,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAgent(row);
}

/** Columns by activity; `seen` stands for any call with a key of the agent. */
const ACTIVITY_COLUMNS = {
  seen: 'last_seen_at',
  model_call: 'last_model_call_at',
  permission_check: 'last_permission_check_at',
} as const;
export type AgentActivity = keyof typeof ACTIVITY_COLUMNS;

/**
 * Stores the time of an activity, at most once a minute. The statement checks the stored time, because several keys and
 * processes may record the activity of one agent.
 */
export async function noteAgentActivity(
  db: AnyDatabase,
  { accountId, id }: AgentKey,
  activity: AgentActivity,
  now: Date,
): Promise<void> {
  if (!isUuid(id)) return;
  const column = sql.id(ACTIVITY_COLUMNS[activity]);
  await sql`
    update agents.agent set ${column} = ${now}
    where account_id = ${accountId} and id = ${id}
      and coalesce(${column} < ${now}::timestamptz - interval '1 minute', true)
  `.execute(db);
}

/**
 * Counts, over all accounts, active agents with a hook whose last model call was at least `SILENT_HOURS` after their
 * last permission check, or that call models and have never requested one (AGT-10).
 */
export async function countSilentAgents(db: AnyDatabase): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from agents.agent
    where lifecycle_state = 'active' and agent_kind = any(${[...HOOKED_KINDS]}::text[]) and last_model_call_at is not null
      and coalesce(last_model_call_at - last_permission_check_at >= make_interval(hours => ${SILENT_HOURS}), true)
  `.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Maximum length of a chain of merges. */
const LONGEST_CHAIN = 100;

/** Resolves an agent to the end of its chain of merges. */
export async function resolveAgentId(db: AnyDatabase, { accountId, id }: AgentKey): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<{ id: string }>`
    with recursive chain as (
      select id, merged_into, 1 as place from agents.agent where account_id = ${accountId} and id = ${id}
      union all
      select next.id, next.merged_into, place + 1 from chain
      join agents.agent next on next.account_id = ${accountId} and next.id = chain.merged_into
      where place < ${LONGEST_CHAIN}
    )
    select id from chain where merged_into is null
  `.execute(db);
  return rows[0]?.id;
}

/**
 * Returns all ids that an agent's history may refer to: its own, and those of all agents merged with it, in either
 * direction. For an unregistered id, returns the id itself.
 */
export async function listAgentIds(db: AnyDatabase, { accountId, id }: AgentKey): Promise<string[]> {
  const end = await resolveAgentId(db, { accountId, id });
  return end === undefined ? [id] : listIdsMergedInto(db, { accountId, id: end });
}

/** Returns the id of an agent and those of the agents that were merged into it, directly or through others. */
export async function listIdsMergedInto(db: AnyDatabase, { accountId, id }: AgentKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive merged as (
      select ${id}::uuid as id
      union
      select agent.id from merged
      join agents.agent on agent.account_id = ${accountId} and agent.merged_into = merged.id
    )
    select id from merged
  `.execute(db);
  return rows.map((row) => row.id);
}
