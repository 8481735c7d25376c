import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { MODEL_PROVIDERS, PRICE_SOURCES, USAGE_GROUPS, USAGE_SOURCES, USAGE_STATUSES } from '@steward/models';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const id = (description: string) => nullable(Type.String({ format: 'uuid' }), description);
const text = (description: string) => nullable(Type.String(), description);
const count = (description: string) => Type.Integer({ minimum: 0, description });
const byId = Type.Optional(Type.String({ format: 'uuid' }));
const byText = Type.Optional(Type.String({ maxLength: 255 }));

const Filters = {
  model_id: byId,
  model_alias: byText,
  provider: Type.Optional(oneOf(MODEL_PROVIDERS, 'Only calls to this provider.')),
  endpoint: byText,
  status: Type.Optional(oneOf(USAGE_STATUSES, 'Only calls with this status.')),
  api_key_id: byId,
  user_id: byId,
  managed_agent_id: byText,
  flow_id: byId,
  execution_id: byId,
  runtime_session_id: byId,
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the range, inclusive.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the range, exclusive.' })),
};

export const UsageQuery = Type.Object({ ...PageQuery, ...Filters }, { additionalProperties: false });

export const SummaryQuery = Type.Object(
  { group_by: oneOf(USAGE_GROUPS, 'Field to group by.'), ...Filters },
  { additionalProperties: false },
);

const Status = oneOf(USAGE_STATUSES, 'Status of the call; `refused` means that nothing was sent to a provider.');

export const UsageAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  occurred_at: Type.String({ format: 'date-time' }),
  account_id: Type.String({ format: 'uuid' }),
  api_key_id: id('Id of the API key with which the call was made.'),
  user_id: id('Id of the user who made the call, or of the owner of the API key.'),
  managed_agent_id: text('Id of the agent as which the key acts.'),
  execution_id: id('Id of the execution that made the call.'),
  flow_id: id('Flow of the execution.'),
  runtime_session_id: id('Id of the session to which the call belongs.'),
  model_id: id(
    'Id of the model that served the call. If no model served it, id of the model that was tried last or, if no model was tried, of the requested model. Null for embeddings for the session search, and for calls that were refused before the requested model was found.',
  ),
  model_alias: text(
    'Alias of the model; for embeddings for the session search, the name of the embedding model at its provider.',
  ),
  provider: nullable(oneOf(MODEL_PROVIDERS, 'Provider that was called.'), 'Null if no provider was called.'),
  endpoint: Type.String(),
  status: Status,
  input_tokens: nullable(count('Input tokens, including cached input.'), 'Null if unknown.'),
  cached_input_tokens: nullable(count('Input tokens read from a cache.'), 'Null if unknown.'),
  output_tokens: nullable(count('Output tokens.'), 'Null if unknown.'),
  cost_usd: nullable(Type.Number(), 'US dollars; null when the price is unknown.'),
  price_source: oneOf(PRICE_SOURCES, 'Source of the price.'),
  usage_source: nullable(oneOf(USAGE_SOURCES, 'Source of the token counts.'), 'Null if no provider was called.'),
  duration_ms: count('Duration of the whole call in milliseconds.'),
  first_byte_ms: nullable(count('Milliseconds until the first byte of the response.'), 'Null if no byte arrived.'),
  stream: Type.Boolean(),
  error_class: text('Why the call failed or was refused.'),
});

const Sums = {
  calls: count('Number of calls.'),
  refused_calls: count('Number of calls that were refused before anything was sent.'),
  unpriced_calls: count('Number of calls with an unknown price; they are not included in the cost.'),
  input_tokens: count('Input tokens, including cached input.'),
  cached_input_tokens: count('Input tokens read from a cache.'),
  output_tokens: count('Output tokens.'),
  cost_usd: Type.Number({ description: 'US dollars.' }),
};

export const SummaryAnswer = Type.Object({
  group_by: oneOf(USAGE_GROUPS, 'The requested grouping.'),
  since: Type.String({ format: 'date-time', description: 'Start of the range, inclusive.' }),
  until: Type.String({ format: 'date-time', description: 'End of the range, exclusive.' }),
  items: Type.Array(
    Type.Object({ key: text('Alias, id or day of the group; null for calls without such a value.'), ...Sums }),
    {
      description: 'Groups, most expensive first; days are in chronological order.',
    },
  ),
  total: Type.Object(Sums, { description: 'Total of all groups.' }),
  truncated: Type.Boolean({ description: 'Whether there are more groups than returned.' }),
});
