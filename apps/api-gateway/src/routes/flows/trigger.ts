import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { findFlow, unwrapManualPayload } from '@steward/slice-flows';
import { describeActor } from '../../auth/describe-actor.ts';
import type { TriggerDeps } from './flow-deps.ts';
import { FlowParams, TriggerAnswer } from './flow-schemas.ts';
import { acceptAudited, answerRepeated } from './accept-audited.ts';

export function createTriggerFlowRoute(deps: TriggerDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/flows/{flow_id}/trigger',
    aliases: ['/flows/{flow_id}/trigger'],
    auth: 'bearer',
    permissions: ['execute_flows'],
    tag: 'flow triggers',
    summary: 'Start a flow with the body as payload.',
    description: 'A body of only {"payload": {...}} is unwrapped. `workspace_files` seeds files into the workspace.',
    params: FlowParams,
    body: Type.Object({}, { additionalProperties: true }),
    bodyOptional: true,
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: { 202: { description: 'Accepted, durably.', schema: TriggerAnswer } },
    handler: async ({ params, body, rawBody, headers, principal, remoteAddress, requestId }) => {
      const flow = await findFlow(deps.db, principal.accountId, params.flow_id);
      if (flow === undefined) throw new AppError('not_found');
      deps.triggerBudget.spendTrigger(flow.id, remoteAddress);
      if (!flow.is_enabled) throw new AppError('flow_disabled');
      const repeated = await answerRepeated(deps, { flow, headers, rawBody });
      if (repeated !== undefined) return repeated;
      const unwrapped = unwrapManualPayload(body);
      if (unwrapped.kind === 'declared_twice') {
        throw new AppError('invalid_workspace_files', {
          message: 'workspace_files is declared both inside and beside "payload"; declare it once.',
          detail: { field: 'workspace_files' },
        });
      }
      return deps.largeBodies.run(headers, () =>
        acceptAudited(deps, {
          flow,
          triggerType: 'manual',
          payload: unwrapped.payload,
          rawBody,
          headers,
          actor: describeActor(principal),
          source: 'console',
          requestId,
        }),
      );
    },
  });
}
