import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { SERIES, SERIES_STEPS, type SeriesName, type SeriesStep } from '@steward/stats';

/** Maximum number of groups in a response. */
export const MAX_GROUPS = 50;
const DEFAULT_GROUPS = 10;

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });

/**
 * Returns the step lengths that a series supports. The corpus has no steps of a minute, because its size is the sum of
 * all changes, and changes older than 25 hours are retained only as sums per quarter hour and per hour.
 */
export const listSteps = (name: SeriesName): readonly SeriesStep[] =>
  name === 'search_corpus' ? SERIES_STEPS.filter((step) => step !== 'minute') : SERIES_STEPS;

export const createSeriesQuery = (name: SeriesName) =>
  Type.Object(
    {
      from: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'The first step is the one that contains this time. Default: 24 hours before `to`.',
        }),
      ),
      to: Type.Optional(
        Type.String({ format: 'date-time', description: 'The last step ends at this time or later. Default: now.' }),
      ),
      step: Type.Optional(oneOf(listSteps(name), 'Length of a step. Default: `hour` for up to 7 days, else `day`.')),
      time_zone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IANA time zone that determines when days and hours begin. Default: UTC.',
        }),
      ),
      group_by: Type.Optional(
        oneOf(SERIES[name].groups, 'Attribute by which the series is split; the largest groups come first.'),
      ),
      key: Type.Optional(
        Type.String({
          maxLength: 255,
          description:
            'Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_GROUPS,
          default: DEFAULT_GROUPS,
          description: 'Maximum number of groups.',
        }),
      ),
    },
    { additionalProperties: false },
  );

const whole = (description: string) => [Type.Integer(), description] as const;
const duration = (description: string) =>
  [nullable(Type.Number({ minimum: 0 }), ''), `${description}; null if there are no durations.`] as const;

const MEASURES = {
  count: whole('Number of items that the series counts, for example calls or deliveries.'),
  failed: whole('Number of these items that failed.'),
  cost_usd: [Type.Number(), 'US dollars.'],
  input_tokens: whole('Includes cached input.'),
  output_tokens: whole('Output tokens.'),
  mean_ms: duration('Mean duration in milliseconds'),
  p50_ms: duration('Median of the durations in milliseconds, accurate to within 10 percent'),
  p95_ms: duration('95th percentile of the durations in milliseconds, accurate to within 10 percent'),
  p99_ms: duration('99th percentile of the durations in milliseconds, accurate to within 10 percent'),
  size: whole('Number of chunks at the end of the range or, in `values`, at the end of each step.'),
} as const;

const sum = <Key extends keyof typeof MEASURES>(key: Key) =>
  Type.Optional(Type.Unsafe<number | null>({ ...MEASURES[key][0], description: MEASURES[key][1] }));
const list = <Key extends keyof typeof MEASURES>(key: Key) =>
  Type.Optional(Type.Array(Type.Unsafe<number | null>({ ...MEASURES[key][0] }), { description: MEASURES[key][1] }));

const Sums = Type.Object(
  {
    count: sum('count'),
    failed: sum('failed'),
    cost_usd: sum('cost_usd'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    mean_ms: sum('mean_ms'),
    p50_ms: sum('p50_ms'),
    p95_ms: sum('p95_ms'),
    p99_ms: sum('p99_ms'),
    size: sum('size'),
  },
  { description: 'The measures of the series for the whole range.' },
);
const Values = Type.Object(
  {
    count: list('count'),
    failed: list('failed'),
    cost_usd: list('cost_usd'),
    input_tokens: list('input_tokens'),
    output_tokens: list('output_tokens'),
    mean_ms: list('mean_ms'),
    p50_ms: list('p50_ms'),
    p95_ms: list('p95_ms'),
    p99_ms: list('p99_ms'),
    size: list('size'),
  },
  { description: 'The measures of the series, with one value for each step.' },
);

export const SeriesAnswer = Type.Object({
  name: Type.String({ description: 'Name of the series.' }),
  from: Type.String({ format: 'date-time', description: 'Start of the first step, inclusive.' }),
  to: Type.String({ format: 'date-time', description: 'End of the last step, exclusive.' }),
  step: oneOf(SERIES_STEPS, 'Length of a step.'),
  time_zone: Type.String({ description: 'Time zone of the steps.' }),
  group_by: nullable(Type.String(), 'The requested grouping.'),
  times: Type.Array(Type.String({ format: 'date-time' }), { description: 'Start of each step.' }),
  total: Type.Object(
    { sums: Sums, values: Values },
    { description: 'Totals of all groups, including those that are not listed.' },
  ),
  groups: Type.Array(
    Type.Object({
      key: nullable(Type.String(), 'Id or name of the group; null for the group of items without such a value.'),
      sums: Sums,
      values: Values,
    }),
    { description: 'Groups, largest first; empty without `group_by`.' },
  ),
  truncated: Type.Boolean({ description: 'Whether there are more groups than listed.' }),
});
