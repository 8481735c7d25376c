import { Type, type TSchema } from '@sinclair/typebox';
import { EMBEDDING_PROVIDERS, EMBEDDING_SCOPES } from '@steward/slice-search';
import { nullable } from '@steward/http';

/** Left out and null alike leave a field alone, so that an answer can be sent back as it came. */
const untouched = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const count = (description: string) => Type.Integer({ minimum: 0, description });
const usd = (description: string) => Type.Number({ minimum: 0, description });

/** Which values are allowed is the setting's own matter: each refusal has a code of its own. */
export const EmbeddingSettingBody = Type.Object(
  {
    enabled: untouched(Type.Boolean({ description: 'Whether content is embedded and searched by meaning.' })),
    scope: untouched(Type.String({ description: `One of ${EMBEDDING_SCOPES.join(', ')}.` })),
    provider: untouched(Type.String({ description: `One of ${EMBEDDING_PROVIDERS.join(', ')}.` })),
    model_identifier: untouched(Type.String({ description: 'Name of the model, as its provider calls it.' })),
    base_url: untouched(
      Type.String({ description: 'Endpoint of the provider: https; `/embeddings` is appended to its path.' }),
    ),
    api_key: untouched(
      Type.String({
        maxLength: 4096,
        description: 'Key of the provider, stored encrypted and never returned; an empty text forgets it.',
      }),
    ),
    daily_cap_usd: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'US dollars per UTC day; null clears it back to the deployment default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const EmbeddingSettingAnswer = Type.Object({
  enabled: Type.Boolean(),
  scope: Type.Union(EMBEDDING_SCOPES.map((scope) => Type.Literal(scope))),
  provider: nullable(Type.Union(EMBEDDING_PROVIDERS.map((provider) => Type.Literal(provider))), 'Who embeds.'),
  model_identifier: nullable(Type.String(), 'Name of the model.'),
  base_url: nullable(Type.String(), 'Endpoint of the provider.'),
  dimensions: nullable(Type.Integer(), 'Width of the vectors; null until the provider has answered once.'),
  daily_cap_usd: nullable(usd('US dollars.'), 'The account’s own cap; null for the deployment default.'),
  deployment_daily_cap_usd: usd('Counts where the account has no cap of its own.'),
  deployment_embedding_enabled: Type.Boolean({ description: 'False: this deployment embeds for nobody.' }),
  has_api_key: Type.Boolean({ description: 'Whether a key of the provider is stored.' }),
  spent_today_usd: usd('Spent on embeddings since midnight UTC.'),
  degraded_reason: nullable(Type.String(), 'Why the last run stopped short.'),
  degraded_at: nullable(Type.String({ format: 'date-time' }), 'Since when.'),
  corpus: Type.Object({
    chunks: count('Chunks of the account.'),
    eligible: count('Those the scope wants embedded.'),
    embedded: count('Those that have a vector of the current model.'),
    pending: count('Those that wait for one.'),
    failed: count('Those that were set aside after their attempts.'),
    other_model: count('Those that have a vector of another model only.'),
    embedded_through: nullable(Type.String({ format: 'date-time' }), 'Everything up to here is embedded.'),
  }),
});
