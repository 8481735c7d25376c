import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, PageQuery, readIdPage, toIdPage, type AnswerBody, type Route } from '@steward/http';
import { findFlow, listArrivals } from '@steward/flows';
import { requireFound } from '@steward/api';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowParams } from '../flow-schemas.ts';
import { ArrivalAnswer, presentArrival } from './arrival-schemas.ts';

export function createListArrivalsRoute(deps: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listFlowArrivals',
    method: 'get',
    path: '/api/v1/flows/{flow_id}/arrivals',
    permissions: ['view_flows'],
    summary:
      'List the last 100 arrivals of a flow, newest first: requests from its source, including ignored ones, and one entry for each time that an arrival was processed again.',
    params: FlowParams,
    query: Type.Object(PageQuery, { additionalProperties: false }),
    responses: { 200: { description: 'A page of arrivals.', name: 'FlowArrival', schema: pageOf(ArrivalAnswer) } },
    handler: async ({ params, query, principal: { accountId } }) => {
      requireFound(await findFlow(deps.db, accountId, params.flow_id));
      const page = readIdPage(query);
      const rows = await listArrivals(deps.db, { accountId, flowId: params.flow_id, ...page });
      const shown = new Map<string, AnswerBody<typeof ArrivalAnswer>>();
      for (const row of rows) {
        shown.set(row.id, presentArrival(row));
        // Each arrival may contain 128 KiB to mask, so other requests are processed between two arrivals.
        await nextTurn();
      }
      return {
        status: 200,
        body: toIdPage(rows, page.limit, (row) => shown.get(row.id) as AnswerBody<typeof ArrivalAnswer>),
      };
    },
  });
}
