import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { findFlow, listDueTimes } from '@steward/flows';
import { requireFound } from '@steward/api';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowParams } from '../flow-schemas.ts';
import { DueTimeAnswer } from './schedule-schemas.ts';

const KEPT = 100;

export function createListDueTimesRoute(deps: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listFlowDueTimes',
    method: 'get',
    path: '/api/v1/flows/{flow_id}/schedule/due-times',
    permissions: ['view_flows'],
    summary: 'List the last 100 due times of a flow with their outcomes, newest first.',
    params: FlowParams,
    responses: {
      200: {
        description: 'The due times.',
        name: 'DueTimes',
        schema: Type.Object({ items: Type.Array(DueTimeAnswer) }),
      },
    },
    handler: async ({ params, principal: { accountId } }) => {
      const { id: flowId } = requireFound(await findFlow(deps.db, accountId, params.flow_id));
      const items = await listDueTimes(deps.db, { accountId, flowId, limit: KEPT });
      return { status: 200, body: { items: items.map(({ account_id: _account, ...due }) => due) } };
    },
  });
}
