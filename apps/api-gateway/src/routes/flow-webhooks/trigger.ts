import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { TriggerAnswer } from '../flows/flow-schemas.ts';
import { acceptWebhook } from './accept-webhook.ts';

const Params = Type.Object({
  flow_id: Type.String({ format: 'uuid', description: 'The flow.' }),
  webhook_secret: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The flow’s webhook secret: the only credential.',
  }),
});

/**
 * The inbound webhook. Order of checks: size, secret, rate budget, state, idempotency key, media type, JSON, files. The
 * body is read only after the secret matched: a stranger learns nothing about a flow and cannot make the service work.
 * The secret is in the path, so nothing here may log or repeat it.
 */
export function createFlowWebhookRoute(deps: TriggerDeps): Route {
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
    handler: async ({ params, readBody, headers, remoteAddress, requestId }) => {
      const address = { flowId: params.flow_id, presentedSecret: params.webhook_secret };
      const flow = await deps.triggerQueue.findFlow(address);
      if (flow === undefined) {
        deps.triggerBudget.spendFailure(remoteAddress);
        throw new AppError('not_found');
      }
      deps.triggerBudget.spendTrigger(flow.id, remoteAddress);
      if (!flow.is_enabled) throw new AppError('flow_disabled');
      return deps.largeBodies.run(headers, async () =>
        acceptWebhook(deps, { address, flow, rawBody: await readBody(), headers, requestId }),
      );
    },
  });
}
