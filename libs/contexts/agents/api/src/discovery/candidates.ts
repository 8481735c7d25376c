import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, pageOf, readIdPage, toIdPage, type AnswerBody, type Route } from '@steward/http';
import {
  listCandidates,
  markCandidate,
  onboardCandidate,
  type Candidate,
  type CandidateRefusal,
} from '@steward/agents';
import { recordAudit } from '@steward/audit';
import { AgentAnswer } from '../registry/agent-schemas.ts';
import { presentAgent } from '../registry/present-agent.ts';
import { requireOwner } from '../registry/require-owner.ts';
import type { DiscoveryDeps } from './discovery-deps.ts';
import { CandidateAnswer, CandidateParams, CandidatesQuery, MarkBody, OnboardBody } from './discovery-schemas.ts';

export function createListCandidatesRoute({ db }: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'listDiscoveryCandidates',
    method: 'get',
    path: '/api/v1/agents/discovery-candidates',
    permissions: ['view_agents'],
    summary:
      'List agents that workstations reported, newest first. A candidate that has not been reported for 90 days is deleted.',
    query: CandidatesQuery,
    responses: {
      200: { description: 'A page of candidates.', name: 'DiscoveryCandidate', schema: pageOf(CandidateAnswer) },
    },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const found = await listCandidates(db, { accountId, status: query.status, ...page });
      return { status: 200, body: toIdPage(found, page.limit, presentCandidate) };
    },
  });
}

export function createMarkCandidateRoute(deps: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'updateDiscoveryCandidate',
    method: 'patch',
    path: '/api/v1/agents/discovery-candidates/{candidate_id}',
    permissions: ['manage_agents'],
    summary: 'Ignore a candidate, or stop ignoring it.',
    params: CandidateParams,
    body: MarkBody,
    bodyExample: { status: 'ignored' },
    responses: { 200: { description: 'The candidate.', name: 'DiscoveryCandidate', schema: CandidateAnswer } },
    audit: { resourceType: 'discovery_candidate' },
    handler: async ({ params: { candidate_id: id }, body: { status }, principal: { accountId }, audit }) => {
      const candidate = await transact(deps, async (trx) => {
        const outcome = await markCandidate(trx, { accountId, id }, status);
        if (outcome.kind !== 'marked') throw refuseCandidate(outcome);
        await recordAudit(trx, audit({ resourceId: id, details: { status } }));
        return outcome.candidate;
      });
      return { status: 200, body: presentCandidate(candidate) };
    },
  });
}

export function createOnboardCandidateRoute(deps: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'onboardDiscoveryCandidate',
    method: 'post',
    path: '/api/v1/agents/discovery-candidates/{candidate_id}/onboard',
    permissions: ['manage_agents'],
    summary: 'Register a candidate as an agent.',
    params: CandidateParams,
    body: OnboardBody,
    bodyExample: { display_name: 'Build machine 4', tags: ['ci'] },
    bodyOptional: true,
    responses: { 201: { description: 'The agent.', name: 'Agent', schema: AgentAnswer } },
    audit: { action: 'create', resourceType: 'managed_agent' },
    handler: async ({ params: { candidate_id: id }, body, principal: { accountId }, audit }) => {
      const input = {
        displayName: body.display_name,
        ownerUserId: body.owner_user_id ?? null,
        tags: body.tags ?? [],
        now: deps.clock.now(),
      };
      const agent = await transact(deps, async (trx) => {
        await requireOwner(trx, accountId, input.ownerUserId);
        const outcome = await onboardCandidate(trx, { accountId, id }, input);
        if (outcome.kind !== 'registered') throw refuseCandidate(outcome);
        const { agentKind: kind, displayName: name } = outcome.agent;
        await recordAudit(trx, audit({ resourceId: outcome.agent.id, details: { kind, name, candidate_id: id } }));
        return outcome.agent;
      });
      return { status: 201, body: presentAgent(agent, undefined) };
    },
  });
}

function refuseCandidate(refusal: CandidateRefusal): AppError {
  if (refusal.kind === 'not_found') return new AppError('not_found');
  return new AppError('conflict', {
    message: 'The candidate is already registered as an agent.',
    detail: { agent_id: refusal.agentId },
  });
}

function presentCandidate(candidate: Candidate): AnswerBody<typeof CandidateAnswer> {
  return {
    id: candidate.id,
    workstation_fingerprint: candidate.workstationFingerprint,
    agent_kind: candidate.agentKind,
    config_path_hash: candidate.configPathHash,
    mcp_server_count: candidate.mcpServerCount,
    agent_version: candidate.agentVersion,
    enrolled: candidate.isEnrolled,
    os_family: candidate.osFamily,
    status: candidate.status,
    agent_id: candidate.agentId,
    first_seen_at: candidate.firstSeenAt,
    last_seen_at: candidate.lastSeenAt,
  };
}
