import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit } from '@steward/slice-gateway';
import { acceptTrigger, findFlow, readIdempotencyKey, unwrapManualPayload } from '@steward/slice-flows';
import { describeActor } from '../../auth/describe-actor.ts';
import { toSessionWriteOptions } from '../runtime-sessions/session-write-options.ts';
import type { FlowDeps } from './flow-deps.ts';
import { FlowParams, TriggerAnswer } from './flow-schemas.ts';
import { answerTrigger, requireWorkspaceFiles } from './trigger-answer.ts';

export function createTriggerFlowRoute(deps: FlowDeps): Route {
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
    handler: async ({ params, body, rawBody, headers, principal, requestId }) => {
      const flow = await findFlow(deps.db, principal.accountId, params.flow_id);
      if (flow === undefined) throw new AppError('not_found');
      if (!flow.is_enabled) throw new AppError('flow_disabled');
      const unwrapped = unwrapManualPayload(body);
      if (unwrapped.kind === 'declared_twice') {
        throw new AppError('invalid_workspace_files', {
          message: 'workspace_files is declared both inside and beside "payload"; declare it once.',
          detail: { field: 'workspace_files' },
        });
      }
      const files = requireWorkspaceFiles(unwrapped.payload);
      const key = readIdempotencyKey(headers);
      const input = {
        flow,
        triggerType: 'manual',
        payload: unwrapped.payload,
        files,
        idempotency: key === undefined ? undefined : { key, body: rawBody },
        now: deps.clock.now(),
      } as const;
      const outcome = await transact(deps, async (trx, hints) => {
        const accepted = await acceptTrigger(trx, hints, input, toSessionWriteOptions(deps.settings));
        if (accepted.kind === 'accepted') {
          await recordAudit(trx, {
            accountId: principal.accountId,
            actor: describeActor(principal),
            source: 'console',
            action: 'trigger',
            resourceType: 'flow',
            resourceId: flow.id,
            status: 'success',
            details: { execution_id: accepted.execution.id, workspace_files: files.length },
            requestId,
          });
        }
        return accepted;
      });
      return answerTrigger(flow.id, outcome);
    },
  });
}
