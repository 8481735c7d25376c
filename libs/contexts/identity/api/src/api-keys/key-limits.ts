import { Type, type Static } from '@sinclair/typebox';
import { AppError, CALL_LIMITS, type ModelLimits, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { nullable } from '@steward/http';
import { listAiModels } from '@steward/models';

const MAX_MODELS = 100;
const MOST = 1_000_000_000;
const limit = (description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MOST }), `${description} Null or omitted: no limit.`));

export const KeyLimitsBody = Type.Object(
  {
    models: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: MAX_MODELS, uniqueItems: true }),
        'Aliases of the models that the key may call. Null or omitted: all models of the account.',
      ),
    ),
    calls_per_minute: limit('Maximum number of model calls per calendar minute.'),
    calls_per_day: limit('Maximum number of model calls per calendar day (UTC).'),
    tokens_per_minute: limit('Maximum total number of input and output tokens per calendar minute.'),
    tokens_per_day: limit('Maximum total number of input and output tokens per calendar day (UTC).'),
  },
  {
    additionalProperties: false,
    title: 'KeyLimits',
    description:
      'Limits for calls through the model gateway. Calls of keys that were created with this key are also counted.',
  },
);

const count = Type.Integer();
export const KeyLimitsAnswer = nullable(
  Type.Object({
    models: nullable(Type.Array(Type.String())),
    ...Object.fromEntries(CALL_LIMITS.map((name) => [name, nullable(Type.Integer())])),
  }),
  'Limits of the key: its models, calls and tokens. Null: no limits.',
);
export const KeyUseAnswer = nullable(
  Type.Object(Object.fromEntries(CALL_LIMITS.map((name) => [name, count]))),
  'Usage in the current minute and day (UTC), including reservations of calls in flight. Null: no limits.',
);

/**
 * Returns the limits in their stored form: null if nothing is limited.
 * @throws invalid_request for a model that the account does not have
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

/**
 * Checks that the caller may set or change limits: an API key that has limits itself may not. @throws permission_denied
 */
export function requireNoLimits({ keyLimits = [] }: Principal): void {
  if (keyLimits.length === 0) return;
  const message = 'An API key with limits cannot set or change limits.';
  throw new AppError('permission_denied', { message, detail: { permission: 'manage_api_keys', lacked_by: 'key' } });
}
