import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, pageOf, PageQuery, readIdPage, textFilter, toIdPage, type Route } from '@steward/http';
import { listFlows } from '@steward/flows';
import { findHooks } from '@steward/trackers';
import { mayEdit, type FlowDeps } from './flow-deps.ts';
import { FlowAnswer } from './flow-schemas.ts';
import { presentFlow } from './present-flow.ts';

const Query = Type.Object(
  { ...PageQuery, query: textFilter('Only flows whose name contains this string, ignoring case.') },
  { additionalProperties: false },
);

export function createListFlowsRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'listFlows',
    method: 'get',
    path: '/api/v1/flows',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary: 'List flows, newest first.',
    query: Query,
    responses: { 200: { description: 'A page of flows.', name: 'Flow', schema: pageOf(FlowAnswer) } },
    handler: async ({ query, principal }) => {
      const { limit, beforeId } = readIdPage(query);
      const rows = await listFlows(deps.db, { accountId: principal.accountId, query: query.query, beforeId, limit });
      const viewer = mayEdit(principal);
      const found = await findHooks(
        deps.db,
        principal.accountId,
        rows.map(({ id }) => id),
      );
      const hooks = new Map(found.map((hook) => [hook.flow_id, hook]));
      const page = toIdPage(rows, limit, (flow) =>
        presentFlow(flow, { ...viewer, hook: hooks.get(flow.id) }, deps.secretBoxes.flow),
      );
      return { status: 200, body: page };
    },
  });
}
