import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, parseJson, requireJson, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit } from '@steward/slice-gateway';
import { acceptTrigger, findWebhookFlow, readIdempotencyKey } from '@steward/slice-flows';
import { toSessionWriteOptions } from '../runtime-sessions/session-write-options.ts';
import type { FlowDeps } from '../flows/flow-deps.ts';
import { TriggerAnswer } from '../flows/flow-schemas.ts';
import { answerTrigger, requireWorkspaceFiles } from '../flows/trigger-answer.ts';

const Params = Type.Object({
  flow_id: Type.String({ format: 'uuid', description: 'The flow.' }),
  webhook_secret: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The flow’s webhook secret: the only credential.',
  }),
});

/**
 * The inbound webhook. The body is parsed only after the secret matched: a stranger learns nothing about a flow and
 * cannot make the service work. The secret is in the path, so nothing here may log or repeat it.
 */
export function createFlowWebhookRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/webhooks/flows/{flow_id}/{webhook_secret}',
    aliases: ['/api/v1/webhooks/flows/{flow_id}/{webhook_secret}'],
    auth: 'none',
    tag: 'flow triggers',
    summary: 'Inbound webhook: the JSON body becomes the trigger payload.',
    description:
      'Repeat safely with an Idempotency-Key (X-GitHub-Delivery, X-Gitlab-Event-UUID, webhook-id and X-Service-Event-Id count too): the same key answers the first execution for 24 hours.',
    params: Params,
    bodyKind: 'json-later',
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: { 202: { description: 'Accepted, durably.', schema: TriggerAnswer } },
    handler: async ({ params, rawBody, headers, requestId }) => {
      const flow = await findWebhookFlow(deps.db, params.flow_id, params.webhook_secret);
      if (flow === undefined) throw new AppError('not_found');
      if (!flow.is_enabled) throw new AppError('flow_disabled');
      requireJson({ headers });
      const payload = parseJson(rawBody);
      if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) {
        throw new AppError('invalid_request', { message: 'The payload must be a JSON object.' });
      }
      const files = requireWorkspaceFiles(payload as Record<string, unknown>);
      const key = readIdempotencyKey(headers);
      const input = {
        flow,
        triggerType: 'webhook',
        payload: payload as Record<string, unknown>,
        files,
        idempotency: key === undefined ? undefined : { key, body: rawBody },
        now: deps.clock.now(),
      } as const;
      const outcome = await transact(deps, async (trx, hints) => {
        const accepted = await acceptTrigger(trx, hints, input, toSessionWriteOptions(deps.settings));
        if (accepted.kind === 'accepted') {
          await recordAudit(trx, {
            accountId: flow.account_id,
            actor: { kind: 'anonymous', id: null },
            source: 'webhook',
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
