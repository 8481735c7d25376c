import type { AnyDatabase } from '@steward/database';
import { listAiModels, type AiModel, type ModelFamily } from '@steward/slice-models';

/** Of one answer: those that an account has made last. */
const MAX_MODELS = 1000;

/** The models that may be called by the routes of a family, in the form of its API (GW-9). */
export async function listCallableModels(db: AnyDatabase, accountId: string, family: ModelFamily): Promise<unknown> {
  const list = { accountId, isEnabled: true, beforeId: undefined, limit: MAX_MODELS };
  const models = await listAiModels(db, list);
  const callable = models.filter(({ provider }) => (provider === 'anthropic') === (family === 'anthropic'));
  return family === 'openai' ? presentOpenAi(callable) : presentAnthropic(callable);
}

function presentOpenAi(models: readonly AiModel[]): unknown {
  const data = models.map(({ alias, createdAt, provider }) => ({
    id: alias,
    object: 'model',
    created: Math.trunc(createdAt.getTime() / 1000),
    owned_by: provider,
  }));
  return { object: 'list', data };
}

function presentAnthropic(models: readonly AiModel[]): unknown {
  const data = models.map(({ alias, createdAt }) => ({
    type: 'model',
    id: alias,
    display_name: alias,
    created_at: createdAt,
  }));
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
