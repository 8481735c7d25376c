import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { updateAiModelFields } from '@steward/models';
import { requireProviderTarget } from '@steward/api';
import { ModelAnswer, ModelParams, UpdateModelBody } from './model-schemas.ts';
import { refuseSave, requireUnused, type ModelsDeps } from './models-deps.ts';
import { presentModel } from './present-model.ts';
import { describeModelChange, readModelPatch } from './read-model-patch.ts';

export function createUpdateModelRoute(deps: ModelsDeps): Route {
  const insecureOrigins = deps.settings.modelInsecureOrigins.map(readOrigin);
  return defineRoute({
    operationId: 'updateAiModel',
    method: 'patch',
    path: '/api/v1/ai-models/{ai_model_id}',
    permissions: ['manage_ai_models'],
    summary: 'Update a model; omitted fields keep their values.',
    description:
      'Changing the provider or the origin of the base URL removes a stored key. If the provider changes and the request contains no base URL, the model gets the base URL of the new provider. Changes take effect with the next call of the model.',
    params: ModelParams,
    body: UpdateModelBody,
    bodyExample: { prices: { input_per_mtok_usd: 0.25, output_per_mtok_usd: 2 } },
    responses: { 200: { description: 'The model.', name: 'AiModel', schema: ModelAnswer } },
    audit: { resourceType: 'ai_model' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      if (body.base_url !== undefined) await requireProviderTarget(body.base_url, { insecureOrigins });
      const id = params.ai_model_id;
      const now = deps.clock.now();
      const model = await transact(deps, async (trx) => {
        const input = { accountId, id, patch: readModelPatch(body), insecureOrigins, now };
        const outcome = await updateAiModelFields(trx, input, deps.secretBoxes.model);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind !== 'saved') throw refuseSave(outcome);
        const { formerAlias } = outcome;
        if (formerAlias !== undefined) await requireUnused(trx, { accountId, names: [formerAlias] });
        await recordAudit(trx, audit({ resourceId: id, details: describeModelChange(body) }));
        return outcome.model;
      });
      return { status: 200, body: presentModel(model, now) };
    },
  });
}
