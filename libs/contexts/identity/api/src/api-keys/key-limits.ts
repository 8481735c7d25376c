import { Type, type Static } from '@sinclair/typebox';
import { AppError, CALL_LIMITS, type ModelLimits, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { nullable } from '@steward/http';
import { listAiModels } from '@steward/models';

const MAX_MODELS = 100;
const MOST = 1_000_000_000;
const limit = (description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MOST }), `${description} Null or left out: no limit.`));

export const KeyLimitsBody = Type.Object(
  {
    models: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: MAX_MODELS, uniqueItems: true }),
        'Aliases of the models that it may call. Null or left out: all of the account.',
      ),
    ),
    calls_per_minute: limit('Calls of models in a minute of UTC.'),
    calls_per_day: limit('Calls of models in a day of UTC.'),
    tokens_per_minute: limit('Tokens, read and written, in a minute of UTC.'),
    tokens_per_day: limit('Tokens, read and written, in a day of UTC.'),
  },
  {
    additionalProperties: false,
    description: 'Of the model gateway. Keys made by a key count into its limits, too.',
  },
);

const count = Type.Integer();
export const KeyLimitsAnswer = nullable(
  Type.Object({
    models: nullable(Type.Array(Type.String())),
    ...Object.fromEntries(CALL_LIMITS.map((name) => [name, nullable(Type.Integer())])),
  }),
  'What models it may call, and how much. Null: no limits.',
);
export const KeyUseAnswer = nullable(
  Type.Object(Object.fromEntries(CALL_LIMITS.map((name) => [name, count]))),
  'What is used of the limits in this minute and this day of UTC, with what calls under way may take. Null: no limits.',
);

/**
 * Stored form of the limits: null if nothing is limited. @throws invalid_request for a model that the account does not
 * have
 */
export async function readKeyLimits(
  db: AnyDatabase,
  accountId: string,
  body: Static<typeof KeyLimitsBody> | null,
): Promise<ModelLimits | null> {
  const { models = null, ...counts } = body ?? {};
  const numbers = CALL_LIMITS.map((name) => [name, (counts as Partial<Record<string, number | null>>)[name] ?? null]);
  if (models === null && numbers.every(([, most]) => most === null)) return null;
  await requireModels(db, accountId, models ?? []);
  return { models, ...Object.fromEntries(numbers) } as ModelLimits;
}

async function requireModels(db: AnyDatabase, accountId: string, aliases: readonly string[]): Promise<void> {
  for (const alias of aliases) {
    const found = await listAiModels(db, { accountId, alias, beforeId: undefined, limit: 1 });
    if (found.length > 0) continue;
    const message = `The account has no model with the alias "${alias}".`;
    throw new AppError('invalid_request', { message, detail: { field: 'limits.models' } });
  }
}

/** A key cannot set or change limits of its own. @throws permission_denied */
export function requireNoLimits({ keyLimits = [] }: Principal): void {
  if (keyLimits.length === 0) return;
  const message = 'An API key with limits sets and changes none.';
  throw new AppError('permission_denied', { message, detail: { permission: 'manage_api_keys', lacked_by: 'key' } });
}
