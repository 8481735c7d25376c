import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findExecution, isTerminal, type ExecutionRow } from '@steward/flows';
import { requireFound } from '@steward/api';
import type { FlowDeps, WaitDeps } from './flow-deps.ts';
import { ExecutionAnswer, ExecutionParams } from './flow-schemas.ts';
import { maskExecution } from './mask-execution.ts';
import { presentExecution } from './present-flow.ts';

const Query = Type.Object(
  {
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, description: 'Seconds to wait for a final status.' })),
  },
  { additionalProperties: false },
);

export function createReadExecutionRoute(deps: WaitDeps): Route {
  return defineRoute({
    operationId: 'readExecution',
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary:
      'Read an execution. With `wait`, the response is delayed until the execution ends or the wait time is over.',
    description:
      'If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in strings are replaced by `[redacted]`.',
    params: ExecutionParams,
    query: Query,
    responses: { 200: { description: 'The execution.', name: 'Execution', schema: ExecutionAnswer } },
    handler: async ({ params, query, principal, signal }) => {
      const { accountId } = principal;
      const deadline = Date.now() + (query.wait ?? 0) * 1000;
      let execution = await readExecution(deps, accountId, params.execution_id);
      const mayEnd = (): boolean => !isTerminal(execution.status) && Date.now() < deadline;
      if (mayEnd()) {
        const leave = deps.openRequests.waits.enter(principal);
        try {
          while (mayEnd() && !signal.aborted) execution = await readExecutionNext(deps, execution);
        } finally {
          leave();
        }
      }
      return { status: 200, body: presentExecution(maskExecution(execution, principal), deps.clock.now()) };
    },
  });
}

/** Waits for an interval, then returns the execution; all clients that wait for the execution share one read. */
export function readExecutionNext(deps: WaitDeps, execution: ExecutionRow): Promise<ExecutionRow> {
  const { account_id: accountId, id } = execution;
  return deps.sharedReads.readNext(id, () => readExecution(deps, accountId, id));
}

/** Returns an execution of the account. @throws not_found for unknown ids and for ids of other accounts */
export async function readExecution(
  deps: Pick<FlowDeps, 'db'>,
  accountId: string,
  executionId: string,
): Promise<ExecutionRow> {
  return requireFound(await findExecution(deps.db, accountId, executionId));
}
