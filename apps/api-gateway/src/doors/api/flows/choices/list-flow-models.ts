import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, PlainPageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
import { listAiModels, MODEL_PROVIDERS, type ModelProvider } from '@steward/slice-models';
import type { FlowDeps } from '../flow-deps.ts';

const ModelChoice = Type.Object({
  id: Type.String({ format: 'uuid' }),
  alias: Type.String({ description: 'What `ai_model_id` of a flow may name, beside the id.' }),
  provider: Type.Unsafe<ModelProvider>({ type: 'string', enum: [...MODEL_PROVIDERS] }),
  model_identifier: Type.String({ description: 'As the provider calls it.' }),
  is_default: Type.Boolean({ description: 'Called by flows that name none.' }),
});

export function createListFlowModelsRoute({ db }: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/flows/models',
    permissions: ['view_flows'],
    summary: 'List the models that a flow may name, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of models.', schema: pageOf(ModelChoice) } },
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
