import { transact } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createAiModel } from '@steward/models';
import { requireProviderTarget } from '@steward/api';
import { CreateModelBody, ModelAnswer } from './model-schemas.ts';
import { refuseSave, type ModelsDeps } from './models-deps.ts';
import { presentModel } from './present-model.ts';
import { describeModelChange, readModelPatch } from './read-model-patch.ts';

export function createCreateModelRoute(deps: ModelsDeps): Route {
  const insecureOrigins = deps.settings.modelInsecureOrigins.map(readOrigin);
  return defineRoute({
    operationId: 'createAiModel',
    method: 'post',
    path: '/api/v1/ai-models',
    permissions: ['manage_ai_models'],
    summary: 'Add a model that clients of the account can call.',
    body: CreateModelBody,
    bodyExample: {
      alias: 'fast',
      provider: 'openai',
      model_identifier: 'gpt-5-mini',
      api_key: 'the-key-of-the-provider',
      is_default: true,
    },
    responses: { 201: { description: 'The model.', name: 'AiModel', schema: ModelAnswer } },
    audit: { resourceType: 'ai_model' },
    handler: async ({ body, principal: { accountId }, audit }) => {
      if (body.base_url !== undefined) await requireProviderTarget(body.base_url, { insecureOrigins });
      const now = deps.clock.now();
      const model = await transact(deps, async (trx) => {
        const input = { accountId, patch: readModelPatch(body), insecureOrigins, now };
        const outcome = await createAiModel(trx, input, deps.secretBoxes.model);
        if (outcome.kind !== 'saved') throw refuseSave(outcome);
        await recordAudit(trx, audit({ resourceId: outcome.model.id, details: describeModelChange(body) }));
        return outcome.model;
      });
      return { status: 201, body: presentModel(model, now) };
    },
  });
}
