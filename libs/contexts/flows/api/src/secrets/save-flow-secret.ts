import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { saveSecret, SECRET_NAME } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowSecretAnswer, FlowSecretBody, FlowSecretParams } from './flow-secret-schemas.ts';

export function createSaveFlowSecretRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'saveFlowSecret',
    method: 'put',
    path: '/api/v1/flow-secrets/{name}',
    permissions: ['edit_flows'],
    summary: 'Create or replace a named secret. Flows of the account refer to it as {{secret.NAME}}.',
    params: FlowSecretParams,
    body: FlowSecretBody,
    bodyExample: { value: 'the value, stored encrypted' },
    responses: {
      200: { description: 'The value was replaced.', name: 'FlowSecret', schema: FlowSecretAnswer },
      201: { description: 'The secret was created.', name: 'FlowSecret', schema: FlowSecretAnswer },
    },
    audit: { action: ['create', 'update'], resourceType: 'flow_secret' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      if (!SECRET_NAME.test(params.name)) throw refuseName();
      const { secret, isNew } = await transact(deps, async (trx) => {
        const input = { accountId, name: params.name, value: body.value };
        const outcome = await saveSecret(trx, input, deps.secretBoxes.flowAgent);
        const action = outcome.isNew ? 'create' : 'update';
        await recordAudit(trx, audit({ action, resourceId: null, details: { name: params.name } }));
        return outcome;
      });
      return isNew ? { status: 201, body: secret } : { status: 200, body: secret };
    },
  });
}

function refuseName(): AppError {
  return new AppError('invalid_request', {
    message: '"name" must have at most 128 letters, digits and underscores and must not begin with a digit.',
    detail: { field: 'name' },
  });
}
