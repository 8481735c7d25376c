import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { BUDGET_PERIODS, BUDGET_SCOPES } from '@steward/slice-budgets';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const Scope = oneOf(BUDGET_SCOPES, 'Whose calls count.');
const Period = oneOf(BUDGET_PERIODS, 'After which it begins anew; weeks begin on Monday.');
const TIME_ZONE =
  'IANA name of the time zone in which days, weeks, months and years begin, such as Europe/Berlin; UTC unless set. Hours are those of UTC.';
const UNSIZED_CALLS = ['hold', 'refuse'] as const;
const UnsizedCalls = oneOf(
  UNSIZED_CALLS,
  'What a hard limit does with calls whose body does not show what they cost (files, addresses, earlier answers, tools of the provider): each holds the largest input until it has ended, which is so unless set, or is refused.',
);
const Currency = Type.Unsafe<'USD'>({ type: 'string', enum: ['USD'] });

const Terms = {
  limit_amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_000_000_000,
    description: 'US dollars, at most six decimals.',
  }),
  hard: optional(Type.Boolean({ description: 'Calls that would pass the limit are refused; true unless set.' })),
  unsized_calls: optional(UnsizedCalls),
  thresholds_percent: optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
      maxItems: 5,
      uniqueItems: true,
      description: 'Told once each and period when what is spent crosses them; [80] unless set.',
    }),
  ),
  enabled: optional(Type.Boolean({ description: 'False: it counts, and stops and tells nothing.' })),
};

export const CreateBudgetBody = Type.Object(
  {
    scope: Scope,
    scope_id: optional(nullable(Type.String({ format: 'uuid' }), 'The key, flow or agent; none for the account.')),
    model_alias: optional(
      nullable(Type.String({ minLength: 1, maxLength: 80 }), 'Only calls of this model; null: of all.'),
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
  { additionalProperties: false, description: 'What a budget is about does not change: make another.' },
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
  period_start: nullable(time, 'Of the period of this moment; null for all_time.'),
  period_end: nullable(time, 'When it begins anew; null: never.'),
  spent_amount: Type.Number({ description: 'US dollars of the calls that ended.' }),
  reserved_amount: Type.Number({ description: 'What calls under way may cost at most.' }),
  percent_used: Type.Number({ description: 'What is spent, of the limit; never rounded up.' }),
  created_at: time,
  updated_at: time,
});
