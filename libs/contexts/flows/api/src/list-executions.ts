import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, pageOf, PageQuery, readIdPage, textFilter, toIdPage, type Route } from '@steward/http';
import { EXECUTION_STATUSES, listExecutions, type ExecutionRow, type ExecutionStatus } from '@steward/flows';
import { readTimeBounds } from '@steward/api';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionAnswer } from './flow-schemas.ts';
import { maskExecution } from './mask-execution.ts';
import { presentExecution } from './present-flow.ts';

const Time = (description: string) => Type.String({ format: 'date-time', description });

const Query = Type.Object(
  {
    ...PageQuery,
    flow_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only executions of this flow.' })),
    since: Type.Optional(Time('Only executions triggered at or after this time.')),
    until: Type.Optional(Time('Only executions triggered before this time.')),
    query: textFilter('Only executions whose id or flow name contains this string, ignoring case.'),
    status: Type.Optional(
      Type.String({ enum: [...EXECUTION_STATUSES], description: 'Only executions with this status.' }),
    ),
  },
  { additionalProperties: false },
);

export function createListExecutionsRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'listExecutions',
    method: 'get',
    path: '/api/v1/flows/executions',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary: 'List executions, newest first.',
    query: Query,
    responses: { 200: { description: 'A page of executions.', name: 'Execution', schema: pageOf(ExecutionAnswer) } },
    handler: async ({ query, principal }) => {
      const page = readIdPage(query);
      const rows = await listExecutions(deps.db, {
        accountId: principal.accountId,
        flowId: query.flow_id,
        status: query.status as ExecutionStatus | undefined,
        query: query.query,
        ...readTimeBounds(query),
        ...page,
      });
      const shown: ExecutionRow[] = [];
      for (const row of rows) {
        shown.push(maskExecution(row, principal));
        // A payload may be several megabytes, so other requests are processed between two executions.
        await nextTurn();
      }
      return { status: 200, body: toIdPage(shown, page.limit, (row) => presentExecution(row, deps.clock.now())) };
    },
  });
}
