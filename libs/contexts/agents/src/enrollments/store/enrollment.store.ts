import { sql } from 'kysely';
import { pageById, requireQuota, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type EnrollmentRow } from '../../schema.ts';
import type { Enrollment, EnrollmentStatus } from '../enrollment.ts';

function toEnrollment(row: EnrollmentRow): Enrollment {
  return {
    accountId: row.account_id,
    id: row.id,
    agentId: row.agent_id,
    enrollmentType: row.enrollment_type,
    adapterKey: row.adapter_key,
    targetConfigPath: row.target_config_path,
    status: row.status as EnrollmentStatus,
    isGatewayRouted: row.gateway_routed,
    isMcpRewritten: row.mcp_rewritten,
    mcpServerCount: row.mcp_server_count,
    candidateId: row.candidate_id,
    message: row.message,
    onboardedAt: row.onboarded_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Maximum number of enrollments per account (LIM-69). */
const MAX_ENROLLMENTS = 10_000;

/** Checks the limit; restored enrollments do not count. @throws quota_reached */
export function requireEnrollmentQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from agents.enrollment where account_id = ${accountId} and status <> 'restored'`;
  return requireQuota(trx, { accountId, what: 'enrollments', limit: MAX_ENROLLMENTS, rows, remedy: 'Restore some' });
}

export async function insertEnrollment(trx: AnyTransaction, enrollment: Enrollment): Promise<void> {
  await tables(trx)
    .insertInto('agents.enrollment')
    .values({
      account_id: enrollment.accountId,
      id: enrollment.id,
      agent_id: enrollment.agentId,
      enrollment_type: enrollment.enrollmentType,
      adapter_key: enrollment.adapterKey,
      target_config_path: enrollment.targetConfigPath,
      status: enrollment.status,
      gateway_routed: enrollment.isGatewayRouted,
      mcp_rewritten: enrollment.isMcpRewritten,
      mcp_server_count: enrollment.mcpServerCount,
      candidate_id: enrollment.candidateId,
      message: enrollment.message,
      onboarded_at: enrollment.onboardedAt,
      created_at: enrollment.createdAt,
      updated_at: enrollment.updatedAt,
    })
    .execute();
}

export async function saveEnrollment(trx: AnyTransaction, enrollment: Enrollment): Promise<void> {
  await tables(trx)
    .updateTable('agents.enrollment')
    .set({
      status: enrollment.status,
      gateway_routed: enrollment.isGatewayRouted,
      mcp_rewritten: enrollment.isMcpRewritten,
      mcp_server_count: enrollment.mcpServerCount,
      message: enrollment.message,
      onboarded_at: enrollment.onboardedAt,
      updated_at: enrollment.updatedAt,
    })
    .where('account_id', '=', enrollment.accountId)
    .where('id', '=', enrollment.id)
    .execute();
}

/**
 * Finds an enrollment by its id and its current agent: after a merge, this is the agent into which the enrolled agent
 * was merged. The caller has locked the current agent.
 */
export async function findEnrollment(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly agentId: string; readonly id: string },
): Promise<Enrollment | undefined> {
  const row = await tables(trx)
    .selectFrom('agents.enrollment')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('agent_id', '=', key.agentId)
    .where('id', '=', key.id)
    .executeTakeFirst();
  return row === undefined ? undefined : toEnrollment(row);
}

export interface EnrollmentList extends IdPage {
  readonly agentId: string;
}

/** Lists enrollments, newest first; one row more than requested shows whether there is another page. */
export async function listEnrollments(db: AnyDatabase, list: EnrollmentList): Promise<Enrollment[]> {
  const rows = await tables(db)
    .selectFrom('agents.enrollment')
    .selectAll()
    .where('account_id', '=', list.accountId)
    .where('agent_id', '=', list.agentId)
    .$call((query) => pageById(query, list))
    .execute();
  return rows.map(toEnrollment);
}

/** Finds the newest enrollment of each of these agents. */
export async function findLatestEnrollments(
  db: AnyDatabase,
  { accountId, agentIds }: { readonly accountId: string; readonly agentIds: readonly string[] },
): Promise<ReadonlyMap<string, Enrollment>> {
  if (agentIds.length === 0) return new Map();
  const { rows } = await sql<EnrollmentRow>`
    select newest.* from unnest(${[...agentIds]}::uuid[]) as agent (id) cross join lateral (
      select * from agents.enrollment e where e.account_id = ${accountId} and e.agent_id = agent.id order by e.id desc limit 1
    ) newest
  `.execute(db);
  return new Map(rows.map((row) => [row.agent_id, toEnrollment(row)]));
}

export async function hasOnboarded(
  trx: AnyTransaction,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from agents.enrollment where account_id = ${accountId} and agent_id = ${agentId} and onboarded_at is not null limit 1
  `.execute(trx);
  return rows.length > 0;
}

export async function moveEnrollments(
  trx: AnyTransaction,
  { accountId, from, to }: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<void> {
  await sql`
    update agents.enrollment set agent_id = ${to} where account_id = ${accountId} and agent_id = ${from}
  `.execute(trx);
}
