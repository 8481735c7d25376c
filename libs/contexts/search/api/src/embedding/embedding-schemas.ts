import { Type, type TSchema } from '@sinclair/typebox';
import { EMBEDDING_PROVIDERS, EMBEDDING_SCOPES } from '@steward/search';
import { nullable } from '@steward/http';

/**
 * Returns the schema of an optional field. A missing field or null leaves the stored value unchanged, so that clients
 * can send back a null from a response.
 */
const untouched = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const count = (description: string) => Type.Integer({ minimum: 0, description });
const usd = (description: string) => Type.Number({ minimum: 0, description });

/** Body of a save. The allowed values are checked when the setting is saved, because each refusal has its own code. */
export const EmbeddingSettingBody = Type.Object(
  {
    enabled: untouched(Type.Boolean({ description: 'Whether content is embedded and semantic search is available.' })),
    scope: untouched(Type.String({ description: `Embedded content: ${EMBEDDING_SCOPES.join(' or ')}.` })),
    provider: untouched(
      Type.String({ description: `Provider of the embeddings: ${EMBEDDING_PROVIDERS.join(' or ')}.` }),
    ),
    model_identifier: untouched(Type.String({ description: 'Name of the model at its provider.' })),
    base_url: untouched(
      Type.String({ description: 'https URL of the provider’s API; `/embeddings` is appended to its path.' }),
    ),
    api_key: untouched(
      Type.String({
        maxLength: 4096,
        description:
          'API key of the provider; stored encrypted and never returned. An empty string removes the stored key.',
      }),
    ),
    daily_cap_usd: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description:
          'Daily cap in US dollars; days begin at midnight UTC. Null resets the cap to the deployment default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const EmbeddingSettingAnswer = Type.Object({
  enabled: Type.Boolean(),
  scope: Type.Union(EMBEDDING_SCOPES.map((scope) => Type.Literal(scope))),
  provider: nullable(
    Type.Union(EMBEDDING_PROVIDERS.map((provider) => Type.Literal(provider))),
    'Provider of the embeddings.',
  ),
  model_identifier: nullable(Type.String(), 'Name of the model.'),
  base_url: nullable(Type.String(), 'Endpoint of the provider.'),
  dimensions: nullable(
    Type.Integer(),
    'Number of dimensions of the vectors of the current model; null until this model has been used once.',
  ),
  daily_cap_usd: nullable(usd('US dollars.'), 'Daily cap set by the account; null if the deployment default applies.'),
  deployment_daily_cap_usd: usd(
    'Daily cap of the deployment in US dollars, which applies if the account has not set a cap.',
  ),
  deployment_embedding_enabled: Type.Boolean({ description: 'Whether embedding is enabled in this deployment.' }),
  has_api_key: Type.Boolean({ description: 'Whether an API key of the provider is stored.' }),
  spent_today_usd: usd(
    'US dollars spent on embeddings since midnight UTC, including amounts reserved for calls whose cost is not known yet.',
  ),
  degraded_reason: nullable(Type.String(), 'Why embedding has stopped; null if it has not.'),
  degraded_at: nullable(Type.String({ format: 'date-time' }), 'When embedding stopped for this reason.'),
  corpus: Type.Object({
    chunks: count('Number of chunks of the account.'),
    eligible: count('Number of chunks in the scope, without chunks that contain only metadata.'),
    embedded: count('Number of eligible chunks with a vector of the current model.'),
    pending: count(
      'Number of eligible chunks that do not have a vector of the current model yet, without failed chunks.',
    ),
    failed: count('Number of chunks that are not tried again because their embedding failed repeatedly.'),
    other_model: count(
      'Number of pending chunks that have a vector of another provider, endpoint or model; counted up to 100,000.',
    ),
    embedded_through: nullable(
      Type.String({ format: 'date-time' }),
      'All eligible chunks stored up to this time are embedded, except for failed chunks; null if there is no such time yet.',
    ),
  }),
});
