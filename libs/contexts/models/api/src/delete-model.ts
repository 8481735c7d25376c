import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteAiModel } from '@steward/models';
import { ModelParams } from './model-schemas.ts';
import { refuseInUse, requireUnused, type ModelsDeps } from './models-deps.ts';

export function createDeleteModelRoute(deps: Pick<ModelsDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'deleteAiModel',
    method: 'delete',
    path: '/api/v1/ai-models/{ai_model_id}',
    permissions: ['manage_ai_models'],
    summary: 'Delete a model. A model that is a fallback of another model, or that a flow uses, cannot be deleted.',
    params: ModelParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'ai_model' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const id = params.ai_model_id;
      await transact(deps, async (trx) => {
        const outcome = await deleteAiModel(trx, { accountId, id });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'in_use') throw refuseInUse(outcome.aliases);
        const { alias } = outcome.model;
        await requireUnused(trx, { accountId, names: [id, alias] });
        await recordAudit(trx, audit({ resourceId: id, details: { alias } }));
      });
      return { status: 204 };
    },
  });
}
