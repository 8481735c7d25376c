import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { readEmbeddingState, saveEmbeddingSetting } from '@steward/search';
import { requireProviderTarget } from '@steward/api';
import type { EmbeddingDeps } from './embedding-deps.ts';
import { EmbeddingSettingAnswer, EmbeddingSettingBody } from './embedding-schemas.ts';
import { presentEmbeddingSetting } from './present-embedding-setting.ts';

export function createSaveEmbeddingSettingRoute(deps: EmbeddingDeps): Route {
  const { db, clock, settings, secretBoxes } = deps;
  const insecureOrigins = settings.embeddingInsecureOrigins.map(readOrigin);
  const targets = { insecureOrigins, allowedPrivateCidrs: settings.embeddingAllowedPrivateCidrs };
  return defineRoute({
    operationId: 'saveEmbeddingSetting',
    method: 'put',
    path: '/api/v1/runtime-sessions/settings/embedding',
    permissions: ['manage_budgets'],
    summary:
      'Update the embedding setting. Fields that are omitted or null keep their values, except `daily_cap_usd`, which is reset by null.',
    description:
      'Provider details are saved only if the request leaves embedding enabled. If any part is refused, nothing is saved. Changing the origin of the endpoint removes a stored key.',
    body: EmbeddingSettingBody,
    bodyExample: { enabled: true, daily_cap_usd: 5 },
    responses: {
      200: { description: 'The setting as saved.', name: 'EmbeddingSetting', schema: EmbeddingSettingAnswer },
    },
    audit: { action: 'update', resourceType: 'embedding_setting' },
    handler: async ({ body, principal: { accountId }, audit }) => {
      if (typeof body.base_url === 'string') await requireProviderTarget(body.base_url, targets);
      const now = clock.now();
      await transact(deps, async (trx) => {
        const input = { accountId, patch: readPatch(body), insecureOrigins, now };
        const outcome = await saveEmbeddingSetting(trx, input, secretBoxes.embedding);
        if (outcome.kind === 'refused') {
          const { code, field, message } = outcome;
          throw new AppError(code, { detail: { field }, ...(message === undefined ? {} : { message }) });
        }
        await recordAudit(trx, audit({ resourceId: accountId, details: describeChange(body) }));
      });
      return { status: 200, body: presentEmbeddingSetting(await readEmbeddingState(db, { accountId, now }), settings) };
    },
  });
}

type Body = Static<typeof EmbeddingSettingBody>;

function readPatch(body: Body) {
  return {
    isEnabled: body.enabled ?? undefined,
    scope: body.scope ?? undefined,
    provider: body.provider ?? undefined,
    modelIdentifier: body.model_identifier ?? undefined,
    baseUrl: body.base_url ?? undefined,
    apiKey: body.api_key ?? undefined,
    dailyCapUsd: body.daily_cap_usd,
  };
}

/** Returns the fields that the request sets, with `api_key_changed` instead of the API key. */
function describeChange({ api_key: apiKey, ...rest }: Body): Record<string, unknown> {
  const sent = Object.entries(rest).filter(([key, value]) => value !== null || key === 'daily_cap_usd');
  return { ...Object.fromEntries(sent), ...(typeof apiKey === 'string' ? { api_key_changed: true } : {}) };
}
