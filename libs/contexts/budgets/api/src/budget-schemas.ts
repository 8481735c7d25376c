import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { BUDGET_PERIODS, BUDGET_SCOPES } from '@steward/budgets';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const Scope = oneOf(BUDGET_SCOPES, 'Scope of the budget: only calls within it count.');
const Period = oneOf(BUDGET_PERIODS, 'Period after which the spent amount is reset to zero; weeks begin on Monday.');
const TIME_ZONE =
  'IANA name of the time zone in which days, weeks, months and years begin, such as Europe/Berlin; UTC unless set. Hourly periods always begin on the hour in UTC.';
const UNSIZED_CALLS = ['hold', 'refuse'] as const;
const UnsizedCalls = oneOf(
  UNSIZED_CALLS,
  'How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs, earlier responses, provider tools): `hold` (default) reserves the cost of the largest possible input until the call ends, and `refuse` refuses the call.',
);
const Currency = Type.Unsafe<'USD'>({ type: 'string', enum: ['USD'] });

const Terms = {
  limit_amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_000_000_000,
    description: 'US dollars, at most six decimals.',
  }),
  hard: optional(Type.Boolean({ description: 'Whether calls that would exceed the limit are refused; default true.' })),
  unsized_calls: optional(UnsizedCalls),
  thresholds_percent: optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
      maxItems: 5,
      uniqueItems: true,
      description:
        'Percentages of the limit. For each percentage, one alert is sent per period when spend reaches it; default [80].',
    }),
  ),
  enabled: optional(
    Type.Boolean({ description: 'False: the budget still counts spend but does not refuse calls or send alerts.' }),
  ),
};

export const CreateBudgetBody = Type.Object(
  {
    scope: Scope,
    scope_id: optional(
      nullable(Type.String({ format: 'uuid' }), 'Id of the key, flow or agent; null for the account.'),
    ),
    model_alias: optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 80 }),
        'Alias of the model whose calls are counted; null: all models.',
      ),
    ),
    period: Period,
    time_zone: optional(Type.String({ minLength: 1, maxLength: 64, description: TIME_ZONE })),
    currency: optional(Currency),
    ...Terms,
  },
  { additionalProperties: false },
);
export const UpdateBudgetBody = Type.Object(
  { ...Terms, limit_amount: optional(Terms.limit_amount) },
  {
    additionalProperties: false,
    description: 'The scope, model and period of a budget cannot be changed; create another budget instead.',
  },
);
export const BudgetParams = Type.Object({ budget_id: Type.String({ format: 'uuid', description: 'The budget.' }) });
export const BudgetQuery = Type.Object(PageQuery, { additionalProperties: false });

const time = Type.String({ format: 'date-time' });
export const BudgetAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  scope: Scope,
  scope_id: nullable(Type.String({ format: 'uuid' })),
  model_alias: nullable(Type.String()),
  period: Period,
  time_zone: Type.String({ description: TIME_ZONE }),
  limit_amount: Type.Number(),
  currency: Currency,
  hard: Type.Boolean(),
  unsized_calls: UnsizedCalls,
  thresholds_percent: Type.Array(Type.Integer()),
  enabled: Type.Boolean(),
  period_start: nullable(time, 'Start of the current period; null for `all_time`.'),
  period_end: nullable(time, 'End of the current period; null for `all_time`.'),
  spent_amount: Type.Number({ description: 'US dollars spent on finished calls in the period.' }),
  reserved_amount: Type.Number({
    description: 'Amount reserved for calls in flight: the sum of their maximum costs, in US dollars.',
  }),
  percent_used: Type.Number({ description: 'Spent amount as a percentage of the limit, never rounded up.' }),
  created_at: time,
  updated_at: time,
});
