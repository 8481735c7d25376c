import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { rotateFlowSecret } from '@steward/flows';
import { renewHook } from '@steward/trackers';
import type { FlowDeps } from './flow-deps.ts';
import { FlowParams } from './flow-schemas.ts';

const Rotated = Type.Object({
  flow_id: Type.String({ format: 'uuid' }),
  webhook_secret: Type.String(),
  webhook_secret_hint: Type.String(),
});

export function createRotateFlowSecretRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'rotateFlowWebhookSecret',
    method: 'post',
    path: '/api/v1/flows/{flow_id}/webhook-secret/rotate',
    permissions: ['edit_flows'],
    summary: 'Replace the webhook secret. The old URL returns 404 from now on.',
    params: FlowParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 200: { description: 'The new secret.', name: 'RotatedFlowSecret', schema: Rotated } },
    audit: { action: 'rotate_secret', resourceType: 'flow' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const key = { accountId, flowId: params.flow_id };
      const rotated = await transact(deps, async (trx) => {
        const outcome = await rotateFlowSecret(trx, key, deps.secretBoxes.flow);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'no_webhook_trigger') {
          throw new AppError('conflict', {
            message: 'The flow has no webhook trigger, so it has no secret to rotate.',
          });
        }
        await renewHook(trx, key);
        await recordAudit(trx, audit({ resourceId: params.flow_id }));
        return outcome;
      });
      const body = {
        flow_id: params.flow_id,
        webhook_secret: rotated.secret,
        webhook_secret_hint: rotated.flow.webhook_secret_hint ?? '',
      };
      return { status: 200, body };
    },
  });
}
