import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { listAiModels } from '@steward/models';
import { ModelAnswer, ModelQuery } from './model-schemas.ts';
import type { ModelsDeps } from './models-deps.ts';
import { presentModel } from './present-model.ts';

export function createListModelsRoute(deps: Pick<ModelsDeps, 'db' | 'clock'>): Route {
  return defineRoute({
    operationId: 'listAiModels',
    method: 'get',
    path: '/api/v1/ai-models',
    permissions: ['view_ai_models'],
    summary: 'List the models of the account, newest first.',
    query: ModelQuery,
    responses: { 200: { description: 'A page of models.', name: 'AiModel', schema: pageOf(ModelAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const { alias, provider, enabled: isEnabled } = query;
      const page = readIdPage(query);
      const found = await listAiModels(deps.db, { accountId, alias, provider, isEnabled, ...page });
      const now = deps.clock.now();
      return { status: 200, body: toIdPage(found, page.limit, (model) => presentModel(model, now)) };
    },
  });
}
