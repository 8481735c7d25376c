import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { findAgent, findLatestEnrollments, listAgents } from '@steward/agents';
import { requireFound } from '@steward/api';
import { AgentAnswer, AgentParams, AgentsQuery } from './agent-schemas.ts';
import { presentAgent, readAndPresent } from './present-agent.ts';
import type { RegistryDeps } from './registry-deps.ts';

export function createListAgentsRoute({ db }: Pick<RegistryDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listAgents',
    method: 'get',
    path: '/api/v1/agents',
    permissions: ['view_agents'],
    summary: 'List the agents of the account, newest first.',
    query: AgentsQuery,
    responses: { 200: { description: 'A page of agents.', name: 'Agent', schema: pageOf(AgentAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const found = await listAgents(db, {
        accountId,
        agentKind: query.agent_kind,
        lifecycleState: query.lifecycle_state,
        tag: query.tag,
        text: query.q,
        ...page,
      });
      const latest = await findLatestEnrollments(db, { accountId, agentIds: found.map(({ id }) => id) });
      return { status: 200, body: toIdPage(found, page.limit, (agent) => presentAgent(agent, latest.get(agent.id))) };
    },
  });
}

export function createReadAgentRoute({ db }: Pick<RegistryDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readAgent',
    method: 'get',
    path: '/api/v1/agents/{agent_id}',
    permissions: ['view_agents'],
    summary: 'Read an agent. For a merged agent, "merged_into" is the id of the agent that replaced it.',
    params: AgentParams,
    responses: { 200: { description: 'The agent.', name: 'Agent', schema: AgentAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const agent = requireFound(await findAgent(db, { accountId, id: params.agent_id }));
      return { status: 200, body: await readAndPresent(db, agent) };
    },
  });
}
