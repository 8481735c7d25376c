import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { describeActor, CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/contracts';
import { findFlow, readIdempotencyKey, unwrapManualPayload } from '@steward/flows';
import { FlowParams, TriggerAnswer } from '../flow-schemas.ts';
import { requireFound } from '@steward/api';
import { requireEnabled } from './require-enabled.ts';
import { startFlow, type TriggerDeps } from './start-flow.ts';

export function createTriggerFlowRoute(deps: TriggerDeps): Route {
  return defineRoute({
    operationId: 'triggerFlow',
    method: 'post',
    path: '/api/v1/flows/{flow_id}/trigger',
    aliases: ['/flows/{flow_id}/trigger'],
    isAct: true,
    leavesCallers: true,
    permissions: ['execute_flows'],
    summary: 'Start a flow with the body as the trigger payload.',
    description:
      'A body that contains only {"payload": {...}} is unwrapped. `workspace_files` adds files to the workspace.',
    params: FlowParams,
    body: Type.Object({}, { additionalProperties: true }),
    bodyExample: { payload: { pull_request: { number: 17, title: 'Add a cart' } } },
    bodyOptional: true,
    // The body is passed unchanged, as on the inbound webhook: a path in `workspace_files` is checked as the caller
    // sent it.
    bodyAsSent: true,
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: { 202: { description: 'Accepted and stored durably.', name: 'AcceptedTrigger', schema: TriggerAnswer } },
    unaudited: 'The statement that accepts the trigger also writes its audit entry.',
    handler: async ({ params, body, rawBody, headers, principal, remoteAddress, requestId, traceparent }) => {
      const find = async () => {
        const flow = requireFound(await findFlow(deps.db, principal.accountId, params.flow_id));
        return flow;
      };
      const flow = await find();
      deps.triggers.budget.spendTrigger(flow.id, remoteAddress);
      return startFlow(deps, requireEnabled(flow), {
        type: 'manual',
        secretHash: null,
        findFlow: async () => requireEnabled(await find()),
        readPayload: () => ({ payload: unwrap(body) }),
        rawBody,
        key: readIdempotencyKey(headers, () => hash('sha256', rawBody, 'hex')),
        audit: { actor: describeActor(principal), source: 'console', requestId },
        traceparent,
      });
    },
  });
}

function unwrap(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const unwrapped = unwrapManualPayload(body);
  if (unwrapped.kind === 'payload') return unwrapped.payload;
  throw new AppError('invalid_workspace_files', {
    message: 'workspace_files is declared both inside "payload" and next to it; declare it once.',
    detail: { field: 'workspace_files' },
  });
}
