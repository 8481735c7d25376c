import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { findExecution, isTerminal, type ExecutionRow } from '@steward/slice-flows';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionAnswer, ExecutionParams } from './flow-schemas.ts';
import { presentExecution } from './present-flow.ts';

/** How often a waiting request looks: one primary-key read; no connection is held between the looks. */
const POLL_MS = 250;

const Query = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60, description: 'Seconds to wait for a terminal status.' }),
    ),
  },
  { additionalProperties: false },
);

export function createReadExecutionRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}',
    auth: 'bearer',
    permissions: ['view_flows'],
    tag: 'flow executions',
    summary: 'Read an execution; with `wait`, answers when it ended or the time is over.',
    params: ExecutionParams,
    query: Query,
    responses: { 200: { description: 'The execution.', schema: ExecutionAnswer } },
    handler: async ({ params, query, principal, signal }) => {
      const read = (): Promise<ExecutionRow> => readExecution(deps, principal.accountId, params.execution_id);
      const deadline = Date.now() + (query.wait ?? 0) * 1000;
      let execution = await read();
      while (!isTerminal(execution.status) && Date.now() < deadline && !signal.aborted) {
        await delay(Math.min(POLL_MS, Math.max(1, deadline - Date.now())), undefined, { signal }).catch(
          () => undefined,
        );
        execution = await read();
      }
      return { status: 200, body: presentExecution(execution, deps.clock.now()) };
    },
  });
}

/** @throws not_found for unknown and foreign ids alike. */
export async function readExecution(
  deps: Pick<FlowDeps, 'db'>,
  accountId: string,
  executionId: string,
): Promise<ExecutionRow> {
  const execution = await findExecution(deps.db, accountId, executionId);
  if (execution === undefined) throw new AppError('not_found');
  return execution;
}
