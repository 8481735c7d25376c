import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findServedModel, tryModel } from '@steward/models';
import { requireFound } from '@steward/api';
import { countTrial } from './count-trial.ts';
import { ModelParams, TrialAnswer } from './model-schemas.ts';
import type { CallingDeps } from './models-deps.ts';

export function createTestModelRoute(deps: CallingDeps): Route {
  const { db, clock, pools, secretBoxes, openRequests } = deps;
  return defineRoute({
    operationId: 'testAiModel',
    method: 'post',
    path: '/api/v1/ai-models/{ai_model_id}/test',
    isAct: true,
    permissions: ['manage_ai_models'],
    summary: 'Test a model: request a few tokens and report whether it responded.',
    description:
      'The service makes one call of at most 30 seconds, without retries or fallbacks, even if the model is disabled. If the caller’s API key has limits, the call counts toward them and is recorded as usage; otherwise, no usage is recorded. `error` is a short message that never contains the key, and contains at most a short code from the provider.',
    params: ModelParams,
    responses: { 200: { description: 'Whether the model responded.', name: 'ModelTest', schema: TrialAnswer } },
    audit: { action: 'test', resourceType: 'ai_model' },
    handler: async ({ params, principal, audit, signal }) => {
      const { accountId } = principal;
      const id = params.ai_model_id;
      const model = requireFound(await findServedModel(db, { accountId, id, now: clock.now() }, secretBoxes.model));
      const leave = openRequests.trials.enter(principal);
      // The audit entry is written before the call, since using the key must be recorded whatever the outcome.
      try {
        await transact({ db }, (trx) =>
          recordAudit(trx, audit({ resourceId: id, details: { base_url: model.baseUrl } })),
        );
        const { ok, latencyMs, error } = await countTrial(deps, { principal, model }, () =>
          tryModel(pools, model, signal),
        );
        return { status: 200, body: { ok, latency_ms: latencyMs, error } };
      } finally {
        leave();
      }
    },
  });
}
