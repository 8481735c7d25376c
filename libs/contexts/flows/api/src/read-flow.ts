import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findFlow } from '@steward/flows';
import { findHooks } from '@steward/trackers';
import { requireFound } from '@steward/api';
import { mayEdit, type FlowDeps } from './flow-deps.ts';
import { FlowAnswer, FlowParams } from './flow-schemas.ts';
import { presentFlow } from './present-flow.ts';

export function createReadFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'readFlow',
    method: 'get',
    path: '/api/v1/flows/{flow_id}',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary: 'Read a flow.',
    params: FlowParams,
    responses: { 200: { description: 'The flow.', name: 'Flow', schema: FlowAnswer } },
    handler: async ({ params, principal }) => {
      const flow = requireFound(await findFlow(deps.db, principal.accountId, params.flow_id));
      const [hook] = await findHooks(deps.db, principal.accountId, [flow.id]);
      return { status: 200, body: presentFlow(flow, { ...mayEdit(principal), hook }, deps.secretBoxes.flow) };
    },
  });
}
