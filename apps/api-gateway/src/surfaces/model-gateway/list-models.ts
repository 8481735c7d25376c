import { AppError, mayCallModel, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { familyOf, listAiModels, type AiModel, type ModelFamily } from '@steward/models';

type Caller = Pick<Principal, 'accountId' | 'keyLimits'>;

/** Maximum number of models that are read for one response: the most recently created models of the account. */
const MAX_MODELS = 1000;

/** Lists the models that the caller may call through the routes of an API family, in the form of its API (GW-9). */
export async function listCallableModels(db: AnyDatabase, principal: Caller, family: ModelFamily): Promise<unknown> {
  return FORMS[family].list(await findCallable(db, principal, family));
}

/** Returns one model, by its alias. @throws model_not_found */
export async function readCallableModel(
  db: AnyDatabase,
  principal: Caller,
  { family, alias }: { readonly family: ModelFamily; readonly alias: string },
): Promise<unknown> {
  const found = (await findCallable(db, principal, family)).find((model) => model.alias === alias);
  if (found === undefined) throw new AppError('model_not_found');
  return FORMS[family].one(found);
}

async function findCallable(
  db: AnyDatabase,
  { accountId, keyLimits }: Caller,
  family: ModelFamily,
): Promise<AiModel[]> {
  const list = { accountId, isEnabled: true, beforeId: undefined, limit: MAX_MODELS };
  const models = await listAiModels(db, list);
  return models.filter(({ provider, alias }) => familyOf(provider) === family && mayCallModel(keyLimits, alias));
}

function presentOpenAi({ alias, createdAt, provider }: AiModel) {
  return { id: alias, object: 'model', created: Math.trunc(createdAt.getTime() / 1000), owned_by: provider };
}

function presentAnthropic({ alias, createdAt }: AiModel) {
  return { type: 'model', id: alias, display_name: alias, created_at: createdAt };
}

interface Form {
  readonly one: (model: AiModel) => unknown;
  readonly list: (models: readonly AiModel[]) => unknown;
}

const FORMS: Readonly<Record<ModelFamily, Form>> = {
  openai: { one: presentOpenAi, list: (models) => ({ object: 'list', data: models.map(presentOpenAi) }) },
  anthropic: {
    one: presentAnthropic,
    list: (models) => {
      const data = models.map(presentAnthropic);
      return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    },
  },
};
