import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { changeAgent } from '@steward/managed-agents';
import { registerAgent } from '@steward/agents';
import { recordAudit } from '@steward/audit';
import { AgentAnswer, AgentParams, CreateAgentBody, UpdateAgentBody } from './agent-schemas.ts';
import { presentAgent, readAndPresent } from './present-agent.ts';
import type { RegistryDeps } from './registry-deps.ts';
import { requireOwner } from './require-owner.ts';

export function createCreateAgentRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'createAgent',
    method: 'post',
    path: '/api/v1/agents',
    permissions: ['manage_agents'],
    summary: 'Register an agent. API keys that are bound to the agent’s id act as the agent.',
    body: CreateAgentBody,
    bodyExample: { agent_kind: 'claude_code', display_name: 'Ada’s laptop', tags: ['team:shop'] },
    responses: { 201: { description: 'The agent.', name: 'Agent', schema: AgentAnswer } },
    audit: { resourceType: 'managed_agent' },
    handler: async ({ body, principal, audit }) => {
      const { accountId } = principal;
      const source = readSource(body.session_source_type ?? null, body.session_source_id ?? null);
      const agent = await transact(deps, async (trx) => {
        const ownerUserId = body.owner_user_id ?? null;
        await requireOwner(trx, accountId, ownerUserId);
        const registered = await registerAgent(trx, {
          accountId,
          agentKind: body.agent_kind,
          displayName: body.display_name,
          source,
          ownerUserId,
          tags: body.tags ?? [],
          enrolledVia: 'operator_registration',
          now: deps.clock.now(),
        });
        if (registered === undefined)
          throw new AppError('conflict', { message: 'The account already has an agent with this source.' });
        const { agentKind: kind, displayName: name } = registered;
        await recordAudit(trx, audit({ resourceId: registered.id, details: { kind, name } }));
        return registered;
      });
      return { status: 201, body: presentAgent(agent, undefined) };
    },
  });
}

export function createUpdateAgentRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'updateAgent',
    method: 'patch',
    path: '/api/v1/agents/{agent_id}',
    permissions: ['manage_agents'],
    summary:
      'Update an agent; omitted fields keep their values. The keys of a suspended agent are refused from the next request on.',
    params: AgentParams,
    body: UpdateAgentBody,
    bodyExample: { display_name: 'Ada’s new laptop', tags: ['team:shop', 'trusted'] },
    responses: { 200: { description: 'The agent.', name: 'Agent', schema: AgentAnswer } },
    audit: { resourceType: 'managed_agent' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId } = principal;
      const key = { accountId, id: params.agent_id };
      const update = {
        ...(body.display_name === undefined ? {} : { displayName: body.display_name }),
        ...(body.owner_user_id === undefined ? {} : { ownerUserId: body.owner_user_id }),
        ...(body.tags === undefined ? {} : { tags: body.tags }),
        ...(body.lifecycle_state === undefined ? {} : { lifecycleState: body.lifecycle_state }),
        ...(body.lifecycle_reason === undefined ? {} : { lifecycleReason: body.lifecycle_reason }),
      };
      const agent = await transact(deps, async (trx) => {
        await requireOwner(trx, accountId, body.owner_user_id ?? null);
        const outcome = await changeAgent(trx, key, update, deps.clock.now());
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'merged') throw refuseMerged(outcome.into);
        await recordAudit(trx, audit({ resourceId: key.id, details: body }));
        return outcome.agent;
      });
      return { status: 200, body: await readAndPresent(deps.db, agent) };
    },
  });
}

export function createRetireAgentRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'retireAgent',
    method: 'delete',
    path: '/api/v1/agents/{agent_id}',
    permissions: ['manage_agents'],
    summary: 'Retire an agent. The agent’s keys are revoked and its history is retained.',
    params: AgentParams,
    responses: { 204: { description: 'Retired.' } },
    audit: { action: 'delete', resourceType: 'managed_agent' },
    handler: async ({ params, principal, audit }) => {
      const { accountId } = principal;
      const key = { accountId, id: params.agent_id };
      await transact(deps, async (trx) => {
        const outcome = await changeAgent(trx, key, { lifecycleState: 'retired' }, deps.clock.now());
        if (outcome.kind !== 'updated') throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: key.id, details: { revoked_api_keys: outcome.revokedKeys } }));
      });
      return { status: 204 };
    },
  });
}

/** Reads the source of an agent's sessions. @throws invalid_request if only one of the two fields is given */
function readSource(
  type: string | null,
  id: string | null,
): { readonly type: string; readonly id: string } | undefined {
  if (type !== null && id !== null) return { type, id };
  if (type === null && id === null) return undefined;
  const field = type === null ? 'session_source_type' : 'session_source_id';
  throw new AppError('invalid_request', {
    message: 'Send both fields of the source, or omit both.',
    detail: { field },
  });
}

function refuseMerged(into: string): AppError {
  return new AppError('conflict', {
    message: 'The agent was merged into another agent. Change that agent instead.',
    detail: { merged_into: into },
  });
}
