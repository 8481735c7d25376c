import { defineRoute, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit } from '@steward/slice-gateway';
import { createFlow, type FlowFields } from '@steward/slice-flows';
import { checkAgentConfig } from './agent-config.ts';
import { describeActor } from '../../auth/describe-actor.ts';
import { mayEdit, type FlowDeps } from './flow-deps.ts';
import { CreateFlowBody, FlowAnswer } from './flow-schemas.ts';
import { presentFlow } from './present-flow.ts';

const DEFAULTS = {
  description: null,
  is_enabled: true,
  trigger: 'manual',
  ai_model_id: null,
  agent_config: {},
  allowed_tools: [],
  webhook_config: null,
  git_clone_config: null,
  setup_commands: [],
  timeout_seconds: 3600,
  evidence: null,
} as const;

export function createCreateFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/flows',
    auth: 'bearer',
    permissions: ['create_flows'],
    tag: 'flows',
    summary: 'Create a flow; one with a webhook trigger gets its secret at once.',
    body: CreateFlowBody,
    responses: { 201: { description: 'The flow.', schema: FlowAnswer } },
    handler: async ({ body, principal, requestId }) => {
      const fields = { ...DEFAULTS, ...body } as FlowFields;
      checkAgentConfig(fields.agent_type, fields.agent_config);
      const flow = await transact(deps, async (trx) => {
        const outcome = await createFlow(trx, { accountId: principal.accountId, fields }, deps.secretBoxes.flow);
        if (outcome.kind !== 'saved') throw nameTaken();
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'create',
          resourceType: 'flow',
          resourceId: outcome.flow.id,
          status: 'success',
          details: { name: outcome.flow.name, trigger: outcome.flow.trigger },
          requestId,
        });
        return outcome.flow;
      });
      return { status: 201, body: presentFlow(flow, mayEdit(principal), deps.secretBoxes.flow) };
    },
  });
}

export function nameTaken(): AppError {
  return new AppError('conflict', { message: 'A flow with this name exists already.', detail: { field: 'name' } });
}
