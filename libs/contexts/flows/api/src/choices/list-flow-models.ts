import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, PlainPageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
import { listAiModels, MODEL_PROVIDERS, type ModelProvider } from '@steward/models';
import type { FlowDeps } from '../flow-deps.ts';

const ModelChoice = Type.Object({
  id: Type.String({ format: 'uuid' }),
  alias: Type.String({
    description: 'Alias of the model; `ai_model_id` of a flow accepts the alias as well as the id.',
  }),
  provider: Type.Unsafe<ModelProvider>({ type: 'string', enum: [...MODEL_PROVIDERS] }),
  model_identifier: Type.String({ description: 'Name of the model at its provider.' }),
  is_default: Type.Boolean({ description: 'Whether flows without `ai_model_id` use this model.' }),
});

export function createListFlowModelsRoute({ db }: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listFlowModels',
    method: 'get',
    path: '/api/v1/flows/models',
    permissions: ['view_flows'],
    summary: 'List the models that flows can use, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of models.', name: 'ModelChoice', schema: pageOf(ModelChoice) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const found = await listAiModels(db, { accountId, isEnabled: true, ...page });
      const body = toIdPage(found, page.limit, ({ id, alias, provider, modelIdentifier, isDefault }) => ({
        id,
        alias,
        provider,
        model_identifier: modelIdentifier,
        is_default: isDefault,
      }));
      return { status: 200, body };
    },
  });
}
