import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { MODEL_PROVIDERS, PRICE_SOURCES, USAGE_GROUPS, USAGE_SOURCES, USAGE_STATUSES } from '@steward/slice-models';

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
  provider: Type.Optional(oneOf(MODEL_PROVIDERS, 'Who was asked.')),
  endpoint: byText,
  status: Type.Optional(oneOf(USAGE_STATUSES, 'How the call ended.')),
  api_key_id: byId,
  user_id: byId,
  managed_agent_id: byText,
  flow_id: byId,
  execution_id: byId,
  runtime_session_id: byId,
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
};

export const UsageQuery = Type.Object({ ...PageQuery, ...Filters }, { additionalProperties: false });

export const SummaryQuery = Type.Object(
  { group_by: oneOf(USAGE_GROUPS, 'What is summed up together.'), ...Filters },
  { additionalProperties: false },
);

const Status = oneOf(USAGE_STATUSES, 'How the call ended; refused: nothing was sent.');

export const UsageAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  occurred_at: Type.String({ format: 'date-time' }),
  account_id: Type.String({ format: 'uuid' }),
  api_key_id: id('The key that called.'),
  user_id: id('The person, or the owner of the key.'),
  managed_agent_id: text('The agent the key acts as.'),
  execution_id: id('The run that called.'),
  flow_id: id('Its flow.'),
  runtime_session_id: id('The session the call belongs to.'),
  model_id: id('The model that served it.'),
  model_alias: text('Its alias, or the name that was asked for.'),
  provider: nullable(oneOf(MODEL_PROVIDERS, 'Who was asked.'), 'Null when nobody was.'),
  endpoint: Type.String(),
  status: Status,
  input_tokens: nullable(count('Cached ones included.'), 'Null: nobody counted.'),
  cached_input_tokens: nullable(count('Of the input, read from a cache.'), 'Null: nobody counted.'),
  output_tokens: nullable(count('Of the answer.'), 'Null: nobody counted.'),
  cost_usd: nullable(Type.Number(), 'US dollars; null when the price is unknown.'),
  price_source: oneOf(PRICE_SOURCES, 'Where its price comes from.'),
  usage_source: nullable(oneOf(USAGE_SOURCES, 'How the numbers are known.'), 'Null: the provider was not asked.'),
  duration_ms: count('Of the whole call.'),
  first_byte_ms: nullable(count('Until the first byte of the answer.'), 'Null: there was none.'),
  stream: Type.Boolean(),
  error_class: text('Why it failed or was refused.'),
});

const Sums = {
  calls: count('Calls.'),
  refused_calls: count('Those that were refused before anything was sent.'),
  unpriced_calls: count('Those whose price is unknown; they add nothing to the cost.'),
  input_tokens: count('Cached ones included.'),
  cached_input_tokens: count('Of the input.'),
  output_tokens: count('Of the answers.'),
  cost_usd: Type.Number({ description: 'US dollars.' }),
};

export const SummaryAnswer = Type.Object({
  group_by: oneOf(USAGE_GROUPS, 'As asked.'),
  since: Type.String({ format: 'date-time', description: 'Inclusive.' }),
  until: Type.String({ format: 'date-time', description: 'Exclusive.' }),
  items: Type.Array(Type.Object({ key: text('Alias, id or day; null for calls that have none.'), ...Sums }), {
    description: 'Dearest first; days in their order.',
  }),
  total: Type.Object(Sums, { description: 'Of all groups.' }),
  truncated: Type.Boolean({ description: 'There are more groups than are shown.' }),
});
