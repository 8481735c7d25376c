import { defineRoute, type Route } from '@steward/http';
import { findAiModel } from '@steward/models';
import { requireFound } from '@steward/api';
import { ModelAnswer, ModelParams } from './model-schemas.ts';
import type { ModelsDeps } from './models-deps.ts';
import { presentModel } from './present-model.ts';

export function createReadModelRoute(deps: Pick<ModelsDeps, 'db' | 'clock'>): Route {
  return defineRoute({
    operationId: 'readAiModel',
    method: 'get',
    path: '/api/v1/ai-models/{ai_model_id}',
    permissions: ['view_ai_models'],
    summary: 'Read a model.',
    params: ModelParams,
    responses: { 200: { description: 'The model.', name: 'AiModel', schema: ModelAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const model = requireFound(await findAiModel(deps.db, { accountId, id: params.ai_model_id }));
      return { status: 200, body: presentModel(model, deps.clock.now()) };
    },
  });
}
