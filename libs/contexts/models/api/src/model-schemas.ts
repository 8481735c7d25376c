import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { MODEL_PROVIDERS, MODEL_PRICE_SOURCES } from '@steward/models';

const id = (description: string) => Type.String({ format: 'uuid', description });
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const price = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const Alias = Type.String({
  maxLength: 500,
  description: 'Name that clients send in the field `model`; unique in the account.',
});
const Provider = oneOf(MODEL_PROVIDERS, 'Provider of the model; generic_compatible is any OpenAI-compatible API.');
const Identifier = Type.String({ maxLength: 500, description: 'Name of the model at its provider.' });
const Prices = Type.Object(
  {
    input_per_mtok_usd: price('US dollars per million tokens of input.'),
    output_per_mtok_usd: price('US dollars per million tokens of output.'),
    cached_input_per_mtok_usd: optional(
      nullable(
        price('US dollars per million tokens of input read from a cache.'),
        'Null: the same price as other input.',
      ),
    ),
  },
  { additionalProperties: false, title: 'ModelPrices' },
);

const Details = {
  base_url: optional(
    Type.String({
      description: 'https base URL of the API including its version. Optional for openai and anthropic.',
    }),
  ),
  api_key: optional(
    nullable(
      Type.String({ maxLength: 4096 }),
      'API key of the provider; stored encrypted and never returned. An empty string or null removes it.',
    ),
  ),
  prices: optional(nullable(Prices, 'Prices set by the account; null: prices of the catalog.')),
  max_output_tokens: optional(
    nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), 'Maximum output tokens of a call; null: unknown.'),
  ),
  fallback_model_ids: optional(
    Type.Array(id('Another model of the account with the same API.'), {
      description: 'Models to try in this order if the call fails; at most three.',
    }),
  ),
  is_default: optional(
    Type.Boolean({ description: 'Whether this is the default model. True replaces the current default.' }),
  ),
  enabled: optional(Type.Boolean({ description: 'False: calls to the model are refused.' })),
};

export const CreateModelBody = Type.Object(
  { alias: Alias, provider: Provider, model_identifier: Identifier, ...Details },
  { additionalProperties: false },
);

export const UpdateModelBody = Type.Object(
  { alias: optional(Alias), provider: optional(Provider), model_identifier: optional(Identifier), ...Details },
  { additionalProperties: false },
);

export const ModelParams = Type.Object({ ai_model_id: id('The model.') });

export const ModelQuery = Type.Object(
  {
    ...PageQuery,
    alias: optional(Type.String({ maxLength: 500, description: 'Only the model with exactly this alias.' })),
    provider: optional(Provider),
    enabled: optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const knownPrice = (description: string) => nullable(Type.Number(), description);

export const ModelAnswer = Type.Object({
  id: id('The model.'),
  alias: Type.String(),
  provider: Provider,
  base_url: Type.String(),
  model_identifier: Type.String(),
  has_api_key: Type.Boolean({ description: 'Whether an API key of the provider is stored.' }),
  prices: Type.Object({
    input_per_mtok_usd: knownPrice('US dollars per million tokens of input; null when unknown.'),
    output_per_mtok_usd: knownPrice('US dollars per million tokens of output.'),
    cached_input_per_mtok_usd: knownPrice('US dollars per million tokens of input read from a cache.'),
  }),
  price_source: oneOf(MODEL_PRICE_SOURCES, 'Source of the prices.'),
  max_output_tokens: nullable(Type.Integer(), 'Maximum output tokens of a call.'),
  fallback_model_ids: Type.Array(id('Id of a model.')),
  is_default: Type.Boolean(),
  enabled: Type.Boolean(),
  warnings: Type.Array(Type.Object({ code: Type.String(), field: Type.String(), message: Type.String() }), {
    description: 'Possible problems with the settings.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

export const TrialAnswer = Type.Object({
  ok: Type.Boolean({ description: 'Whether the model responded.' }),
  latency_ms: Type.Integer({ minimum: 0 }),
  error: nullable(Type.String(), 'Short message about the failure; null on success.'),
});
