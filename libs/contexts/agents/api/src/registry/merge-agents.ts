import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { joinAgents } from '@steward/managed-agents';
import { recordAudit } from '@steward/audit';
import { AgentAnswer, AgentParams, MergeBody } from './agent-schemas.ts';
import { readAndPresent } from './present-agent.ts';
import type { RegistryDeps } from './registry-deps.ts';

export function createMergeAgentsRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'mergeAgents',
    method: 'post',
    path: '/api/v1/agents/{agent_id}/merge',
    permissions: ['manage_agents'],
    summary: 'Merge two agents.',
    description:
      'Keys, enrollments, pending notes and budgets of the duplicate move to this agent, and the duplicate is retired. Existing records keep the id of the duplicate and can be found by the id of either agent.',
    params: AgentParams,
    body: MergeBody,
    bodyExample: { duplicate_agent_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b22' },
    responses: { 200: { description: 'The agent.', name: 'Agent', schema: AgentAnswer } },
    audit: { action: 'merge', resourceType: 'managed_agent' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId } = principal;
      const { duplicate_agent_id: duplicateId } = body;
      const agent = await transact(deps, async (trx) => {
        const input = { accountId, id: params.agent_id, duplicateId, now: deps.clock.now() };
        const outcome = await joinAgents(trx, input);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'same') throw refuseSame();
        const details = { duplicate_agent_id: outcome.duplicate.id, moved_api_keys: outcome.movedKeys };
        await recordAudit(trx, audit({ resourceId: outcome.agent.id, details }));
        return outcome.agent;
      });
      return { status: 200, body: await readAndPresent(deps.db, agent) };
    },
  });
}

function refuseSame(): AppError {
  return new AppError('invalid_request', {
    message: 'The two agents are already merged.',
    detail: { field: 'duplicate_agent_id' },
  });
}
