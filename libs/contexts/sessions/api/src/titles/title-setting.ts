import { Type, type Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findAiModel, findAiModelId, makesEmbeddings } from '@steward/models';
import { findTitleModel, saveTitleModel } from '@steward/sessions';
import type { SessionsDeps } from '../sessions-deps.ts';

const PATH = '/api/v1/runtime-sessions/settings/titles';

const Answer = Type.Object({
  title_model: nullable(
    Type.String({
      description:
        'Alias of the AI model that generates session titles; null: a title consists of the first words of the session.',
    }),
  ),
  title_model_enabled: nullable(
    Type.Boolean({
      description: 'Whether the model is enabled; a disabled model generates no titles. Null without a model.',
    }),
  ),
});

type Deps = Pick<SessionsDeps, 'db' | 'broker' | 'clock'>;

export function createReadTitleSettingRoute({ db }: Pick<Deps, 'db'>): Route {
  return defineRoute({
    operationId: 'readTitleSetting',
    method: 'get',
    path: PATH,
    permissions: ['view_runtime_sessions'],
    summary: 'Read which model generates the titles of the account’s sessions.',
    responses: { 200: { description: 'The setting.', name: 'TitleSetting', schema: Answer } },
    handler: async ({ principal: { accountId } }) => ({ status: 200, body: await present(db, accountId) }),
  });
}

export function createSaveTitleSettingRoute(deps: Deps): Route {
  return defineRoute({
    operationId: 'saveTitleSetting',
    method: 'put',
    path: PATH,
    permissions: ['manage_budgets'],
    summary: 'Set the model that generates the titles of the account’s sessions, or none.',
    description:
      'The model is called in the background, within the budgets, when a session without a title from a client or an import is listed. It is called again for the same session only if it has not responded, or if the first words of the session have changed. After a failure, the title is requested again after an hour at the earliest. Each call appears in the usage.',
    body: Type.Object(
      {
        title_model: nullable(
          Type.String({ minLength: 1, maxLength: 255, description: 'Id or alias of an AI model.' }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyExample: { title_model: 'fast' },
    responses: { 200: { description: 'The setting as saved.', name: 'TitleSetting', schema: Answer } },
    audit: { action: 'update', resourceType: 'title_setting' },
    handler: async ({ body: { title_model: name }, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        const aiModelId = name === null ? null : await requireTitleModel(trx, { accountId, name });
        await saveTitleModel(trx, { accountId, aiModelId, now: deps.clock.now() });
        await recordAudit(trx, audit({ resourceId: accountId, details: { title_model: name } }));
      });
      return { status: 200, body: await present(deps.db, accountId) };
    },
  });
}

/** Returns the setting; both fields are null if no model is set, or if the model has been deleted. */
async function present(db: AnyDatabase, accountId: string): Promise<Static<typeof Answer>> {
  const id = await findTitleModel(db, accountId);
  const model = id === undefined ? undefined : await findAiModel(db, { accountId, id });
  return { title_model: model?.alias ?? null, title_model_enabled: model?.isEnabled ?? null };
}

/**
 * Returns the id of the named model, which must be able to generate titles.
 * @throws invalid_request
 */
async function requireTitleModel(
  trx: AnyTransaction,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<string> {
  const id = await findAiModelId(trx, { accountId, name });
  const model = id === undefined ? undefined : await findAiModel(trx, { accountId, id });
  if (model === undefined) throw refuse('is not the id or alias of an AI model of the account.');
  if (!model.isEnabled) throw refuse('names a model that is disabled. Enable it, or name another one.');
  if (makesEmbeddings(model))
    throw refuse('names an embedding model, which does not generate text. Name a chat model.');
  return model.id;
}

function refuse(reason: string): AppError {
  return new AppError('invalid_request', {
    message: `"title_model" ${reason}`,
    detail: { field: 'title_model' },
  });
}
