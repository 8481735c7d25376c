import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findFlow, updateFlow, type FlowFields } from '@steward/flows';
import { requireFound } from '@steward/api';
import { checkAgentConfig } from './agent-config.ts';
import { nameTaken, nothingStored } from './create-flow.ts';
import { flowBoxes, mayEdit, type FlowDeps } from './flow-deps.ts';
import { FlowAnswer, FlowParams, UpdateFlowBody } from './flow-schemas.ts';
import { checkNetworkFields } from './network-fields.ts';
import { checkWebhookFields } from './webhook-fields.ts';
import { presentFlow } from './present-flow.ts';
import { requireAiModel } from './require-ai-model.ts';
import { requireSchedule } from './schedules/require-schedule.ts';
import { planTracker } from './tracker-fields.ts';

export function createUpdateFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'updateFlow',
    method: 'patch',
    path: '/api/v1/flows/{flow_id}',
    permissions: ['edit_flows'],
    summary:
      'Update a flow. Secrets that are omitted or sent back masked keep their values. If the flow is now started by a webhook and has no webhook secret yet, a secret is generated.',
    params: FlowParams,
    body: UpdateFlowBody,
    bodyExample: { is_enabled: false },
    responses: { 200: { description: 'The flow.', name: 'Flow', schema: FlowAnswer } },
    audit: { resourceType: 'flow' },
    handler: async ({ params, body, principal, audit }) => {
      checkNetworkFields(body as Partial<FlowFields>);
      const key = { accountId: principal.accountId, flowId: params.flow_id };
      const { tracker_config: _tracker, ...own } = body;
      const { flow, hook } = await transact(deps, async (trx) => {
        const current = requireFound(await findFlow(trx, key.accountId, key.flowId));
        if (body.agent_type !== undefined || body.agent_config !== undefined)
          checkAgentConfig(body.agent_type ?? current.agent_type, body.agent_config ?? current.agent_config);
        await requireSchedule(trx, body as Partial<FlowFields>, current);
        await requireAiModel(trx, { accountId: key.accountId, name: body.ai_model_id });
        const plan = await planTracker(trx, {
          principal,
          body: body as Parameters<typeof planTracker>[1]['body'],
          stored: current,
        });
        const fields = { ...own, ...plan.fields } as Partial<FlowFields>;
        checkWebhookFields(fields);
        const outcome = await updateFlow(trx, { ...key, fields }, flowBoxes(deps));
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'nothing_stored') throw nothingStored(outcome.field);
        if (outcome.kind === 'name_taken') throw nameTaken();
        await recordAudit(trx, audit({ resourceId: params.flow_id, details: { fields: Object.keys(body) } }));
        return { flow: outcome.flow, hook: await plan.apply(trx, outcome.flow) };
      });
      return { status: 200, body: presentFlow(flow, { ...mayEdit(principal), hook }, deps.secretBoxes.flow) };
    },
  });
}
