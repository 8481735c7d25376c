import type { HintSink } from '@steward/contracts';
import { deterministicId, newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions } from '@steward/webhooks';
import type { Candidate, OsFamily } from '../candidate.ts';
import { requireCandidateCapacity, upsertCandidates } from '../store/candidate.store.ts';
import { isDiscoveryEnabled } from '../store/discovery-setting.store.ts';

export interface DiscoveryReport {
  readonly accountId: string;
  readonly workstationFingerprint: string;
  readonly osFamily: OsFamily;
  readonly agents: readonly ReportedAgent[];
  readonly now: Date;
}

export type ReportedAgent = Pick<
  Candidate,
  'agentKind' | 'agentVersion' | 'configPathHash' | 'mcpServerCount' | 'isEnrolled'
>;

export type ReportOutcome =
  { readonly kind: 'disabled' } | { readonly kind: 'taken'; readonly created: number; readonly updated: number };

/**
 * Stores the report of a workstation, and emits `agent.discovered` once for each new candidate, in this transaction.
 *
 * @throws quota_reached if the new candidates of the report exceed the limit of the account; a report that names only
 * known candidates is always accepted
 */
export async function reportAgents(
  trx: AnyTransaction,
  hints: HintSink,
  report: DiscoveryReport,
  options: EmitOptions,
): Promise<ReportOutcome> {
  const { accountId, agents } = report;
  if (!(await isDiscoveryEnabled(trx, accountId, { lock: true }))) return { kind: 'disabled' };
  // An agent that is reported twice counts once.
  const byPlace = new Map(agents.map((agent) => [`${agent.agentKind} ${agent.configPathHash}`, agent]));
  const places = [...byPlace.keys()].sort();
  const candidates = places.map((place) => toCandidate(report, byPlace.get(place) as ReportedAgent));
  const created = await upsertCandidates(trx, candidates);
  if (created.length > 0) await requireCandidateCapacity(trx, accountId);
  for (const candidate of created) {
    await emitEvent(
      trx,
      hints,
      {
        type: 'agent.discovered',
        id: deterministicId('agent.discovered', candidate.id),
        accountId,
        occurredAt: candidate.firstSeenAt,
        data: describeDiscovery(candidate),
      },
      options,
    );
  }
  return { kind: 'taken', created: created.length, updated: candidates.length - created.length };
}

function toCandidate(
  { accountId, workstationFingerprint, osFamily, now }: DiscoveryReport,
  agent: ReportedAgent,
): Candidate {
  return {
    ...agent,
    accountId,
    id: newId(),
    workstationFingerprint,
    osFamily,
    status: 'new',
    agentId: null,
    firstSeenAt: now,
    lastSeenAt: now,
  };
}

function describeDiscovery(candidate: Candidate) {
  return {
    candidate_id: candidate.id,
    agent_kind: candidate.agentKind,
    agent_version: candidate.agentVersion,
    workstation_fingerprint: candidate.workstationFingerprint,
    config_path_hash: candidate.configPathHash,
    mcp_server_count: candidate.mcpServerCount,
    enrolled: candidate.isEnrolled,
    os_family: candidate.osFamily,
    status: candidate.status,
    first_seen_at: candidate.firstSeenAt.toISOString(),
  };
}
