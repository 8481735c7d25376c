import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { MODEL_PROVIDERS, MODEL_PRICE_SOURCES } from '@steward/slice-models';

const id = (description: string) => Type.String({ format: 'uuid', description });
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const price = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const Alias = Type.String({ maxLength: 500, description: 'What clients send as `model`; unique in the account.' });
const Provider = oneOf(MODEL_PROVIDERS, 'Who serves it; generic_compatible speaks the API of OpenAI.');
const Identifier = Type.String({ maxLength: 500, description: 'What the provider calls the model.' });
const Prices = Type.Object(
  {
    input_per_mtok_usd: price('US dollars per million tokens of input.'),
    output_per_mtok_usd: price('Of output.'),
    cached_input_per_mtok_usd: optional(nullable(price('Of input read from a cache.'), 'Null: as other input.')),
  },
  { additionalProperties: false },
);

const Details = {
  base_url: optional(
    Type.String({
      description: 'Address of the API with its version, https. May be left out for openai and anthropic.',
    }),
  ),
  api_key: optional(
    nullable(
      Type.String({ maxLength: 4096 }),
      'Key of the provider, stored encrypted and never returned; an empty text or null forgets it.',
    ),
  ),
  prices: optional(nullable(Prices, 'The account’s own; null for those of the catalogue.')),
  max_output_tokens: optional(
    nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), 'The most a call may answer with; null: not known.'),
  ),
  fallback_model_ids: optional(
    Type.Array(id('Another model of the account and of the same API.'), {
      description: 'Asked in turn, at most three.',
    }),
  ),
  is_default: optional(Type.Boolean({ description: 'True takes it from the model that is.' })),
  enabled: optional(Type.Boolean({ description: 'False: calls are refused.' })),
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
    alias: optional(Type.String({ maxLength: 500, description: 'The one with exactly this alias.' })),
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
  has_api_key: Type.Boolean({ description: 'Whether a key of the provider is stored.' }),
  prices: Type.Object({
    input_per_mtok_usd: knownPrice('US dollars per million tokens of input; null when unknown.'),
    output_per_mtok_usd: knownPrice('Of output.'),
    cached_input_per_mtok_usd: knownPrice('Of input read from a cache.'),
  }),
  price_source: oneOf(MODEL_PRICE_SOURCES, 'Where the prices come from.'),
  max_output_tokens: nullable(Type.Integer(), 'The most a call may answer with.'),
  fallback_model_ids: Type.Array(id('A model.')),
  is_default: Type.Boolean(),
  enabled: Type.Boolean(),
  warnings: Type.Array(Type.Object({ code: Type.String(), field: Type.String(), message: Type.String() }), {
    description: 'What is worth a second look.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

export const TrialAnswer = Type.Object({
  ok: Type.Boolean({ description: 'Whether the model answered.' }),
  latency_ms: Type.Integer({ minimum: 0 }),
  error: nullable(Type.String(), 'Why it did not.'),
});
