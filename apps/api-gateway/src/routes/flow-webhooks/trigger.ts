import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { hashWebhookSecret } from '@steward/slice-flows';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { TriggerAnswer } from '../flows/flow-schemas.ts';
import { admitWebhook } from './admit-webhook.ts';

const Params = Type.Object({
  flow_id: Type.String({ format: 'uuid', description: 'The flow.' }),
  webhook_secret: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The flow’s webhook secret: the only credential.',
  }),
});

/** The inbound webhook. The secret is in the path, so nothing here may log or repeat it: it goes no further than its hash. */
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
    handler: ({ params, readBody, headers, remoteAddress, requestId }) => {
      const address = { flowId: params.flow_id, secretHash: hashWebhookSecret(params.webhook_secret) };
      return admitWebhook(deps, { address, readBody, headers, remoteAddress, requestId });
    },
  });
}
