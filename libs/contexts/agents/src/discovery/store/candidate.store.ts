import { sql } from 'kysely';
import { pageById, requireQuota, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type CandidateRow } from '../../schema.ts';
import type { AgentKey } from '../../registry/agent.ts';
import type { Candidate, CandidateStatus, OsFamily } from '../candidate.ts';

function toCandidate(row: CandidateRow): Candidate {
  return {
    accountId: row.account_id,
    id: row.id,
    workstationFingerprint: row.workstation_fingerprint,
    agentKind: row.agent_kind,
    configPathHash: row.config_path_hash,
    agentVersion: row.agent_version,
    mcpServerCount: row.mcp_server_count,
    isEnrolled: row.enrolled,
    osFamily: row.os_family as OsFamily,
    status: row.status as CandidateStatus,
    agentId: row.agent_id,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}

/**
 * Inserts new candidates; for known candidates, only `last_seen_at` changes. Returns the inserted candidates; if
 * several concurrent reports name a new candidate, exactly one of them inserts it. Pass the candidates in a consistent
 * order, so that reports cannot deadlock.
 */
export async function upsertCandidates(trx: AnyTransaction, candidates: readonly Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const rows = await tables(trx)
    .insertInto('agents.candidate')
    .values(
      candidates.map((candidate) => ({
        account_id: candidate.accountId,
        id: candidate.id,
        workstation_fingerprint: candidate.workstationFingerprint,
        agent_kind: candidate.agentKind,
        config_path_hash: candidate.configPathHash,
        agent_version: candidate.agentVersion,
        mcp_server_count: candidate.mcpServerCount,
        enrolled: candidate.isEnrolled,
        os_family: candidate.osFamily,
        status: candidate.status,
        agent_id: candidate.agentId,
        first_seen_at: candidate.firstSeenAt,
        last_seen_at: candidate.lastSeenAt,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'workstation_fingerprint', 'agent_kind', 'config_path_hash'])
        .doUpdateSet({ last_seen_at: sql<Date>`greatest(agents.candidate.last_seen_at, excluded.last_seen_at)` }),
    )
    .returningAll()
    .execute();
  const sent = new Set(candidates.map(({ id }) => id));
  return rows.filter(({ id }) => sent.has(id)).map(toCandidate);
}

/** Maximum number of candidates per account (LIM-70). */
const MAX_CANDIDATES = 10_000;

/** Checks the limit after candidates were inserted. @throws quota_reached */
export function requireCandidateCapacity(trx: AnyTransaction, accountId: string): Promise<void> {
  // `requireQuota` fails if the limit is reached. The new rows are already inserted and may reach it, so one row is not
  // counted.
  const rows = sql`select 1 from agents.candidate where account_id = ${accountId} offset 1`;
  const remedy = 'Candidates that no workstation reports for 90 days are deleted automatically';
  return requireQuota(trx, { accountId, what: 'discovery candidates', limit: MAX_CANDIDATES, rows, remedy });
}

export interface CandidateFilter extends IdPage {
  readonly status?: CandidateStatus | undefined;
}

/** Lists candidates, newest first; one row more than requested shows whether there is another page. */
export async function listCandidates(db: AnyDatabase, filter: CandidateFilter): Promise<Candidate[]> {
  const { status } = filter;
  const rows = await tables(db)
    .selectFrom('agents.candidate')
    .selectAll()
    .where('account_id', '=', filter.accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$call((query) => pageById(query, filter))
    .execute();
  return rows.map(toCandidate);
}

export async function lockCandidate(trx: AnyTransaction, { accountId, id }: AgentKey): Promise<Candidate | undefined> {
  const row = await tables(trx)
    .selectFrom('agents.candidate')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toCandidate(row);
}

export async function updateCandidate(
  trx: AnyTransaction,
  { accountId, id }: AgentKey,
  { status, agentId }: Pick<Candidate, 'status' | 'agentId'>,
): Promise<Candidate> {
  const row = await tables(trx)
    .updateTable('agents.candidate')
    .set({ status, agent_id: agentId })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCandidate(row);
}

/** Deletes candidates that have not been reported since a time. Returns the number of deleted rows. */
export async function deleteCandidatesUnseenSince(db: AnyDatabase, since: Date): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('agents.candidate')
    .where('last_seen_at', '<', since)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
