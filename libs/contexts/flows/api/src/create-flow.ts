import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { FLOW_DEFAULTS, createFlow, requireFlowQuota, type FlowFields } from '@steward/flows';
import { checkAgentConfig } from './agent-config.ts';
import { flowBoxes, mayEdit, type FlowDeps } from './flow-deps.ts';
import { CreateFlowBody, FlowAnswer } from './flow-schemas.ts';
import { checkNetworkFields } from './network-fields.ts';
import { checkWebhookFields } from './webhook-fields.ts';
import { presentFlow } from './present-flow.ts';
import { requireAiModel } from './require-ai-model.ts';
import { requireSchedule } from './schedules/require-schedule.ts';
import { planTracker } from './tracker-fields.ts';

export function createCreateFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'createFlow',
    method: 'post',
    path: '/api/v1/flows',
    permissions: ['create_flows'],
    summary: 'Create a flow. If the flow is started by a webhook, a webhook secret is generated.',
    body: CreateFlowBody,
    bodyExample: {
      name: 'Review pull requests',
      prompt_template: 'Review {{trigger_event.payload.pull_request.title}}.',
      agent_type: 'builtin',
      trigger: 'webhook',
      webhook_config: { source: 'github', event_types: ['pull_request'], dedupe_path: 'pull_request.number' },
      timeout_seconds: 900,
    },
    responses: { 201: { description: 'The flow.', name: 'Flow', schema: FlowAnswer } },
    audit: { resourceType: 'flow' },
    handler: async ({ body, principal, audit }) => {
      const { tracker_config: _tracker, ...own } = body;
      const given = { ...FLOW_DEFAULTS, ...own } as FlowFields;
      checkAgentConfig(given.agent_type, given.agent_config);
      checkNetworkFields(given);
      const { flow, hook } = await transact(deps, async (trx) => {
        const plan = await planTracker(trx, { principal, body: body as Parameters<typeof planTracker>[1]['body'] });
        const fields = { ...given, ...plan.fields };
        checkWebhookFields(fields);
        await requireFlowQuota(trx, { accountId: principal.accountId, limit: deps.settings.accountMaxFlows });
        await requireSchedule(trx, fields);
        await requireAiModel(trx, { accountId: principal.accountId, name: fields.ai_model_id });
        const outcome = await createFlow(trx, { accountId: principal.accountId, fields }, flowBoxes(deps));
        if (outcome.kind === 'nothing_stored') throw nothingStored(outcome.field);
        if (outcome.kind !== 'saved') throw nameTaken();
        await recordAudit(
          trx,
          audit({ resourceId: outcome.flow.id, details: { name: outcome.flow.name, trigger: outcome.flow.trigger } }),
        );
        return { flow: outcome.flow, hook: await plan.apply(trx, outcome.flow) };
      });
      return { status: 201, body: presentFlow(flow, { ...mayEdit(principal), hook }, deps.secretBoxes.flow) };
    },
  });
}

export function nothingStored(field: string): AppError {
  return new AppError('invalid_request', {
    message: `"${field}" has no stored value to keep: send the value itself.`,
    detail: { field },
  });
}

export function nameTaken(): AppError {
  return new AppError('conflict', { message: 'A flow with this name already exists.', detail: { field: 'name' } });
}
