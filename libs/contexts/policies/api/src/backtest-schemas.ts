import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_BACKTEST_CALLS, POLICY_ACTIONS } from '@steward/policies';

const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ description });
const action = () => Type.Unsafe<(typeof POLICY_ACTIONS)[number]>({ type: 'string', enum: [...POLICY_ACTIONS] });

export const BacktestBody = Type.Object(
  {
    document: Type.Optional(
      Type.Unknown({ description: 'Policy document, as a string or as an object; default: the policy in force.' }),
    ),
    since: time('Start of the range of calls, inclusive.'),
    until: Type.Optional(time('End of the range of calls, exclusive; default now.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BACKTEST_CALLS,
        description: 'Maximum number of calls; the newest are used.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const BacktestParams = Type.Object({
  backtest_id: Type.String({ format: 'uuid', description: 'The backtest.' }),
});

const DecisionCounts = Type.Object({ allow: count(''), deny: count(''), require_approval: count('') });

export const BacktestAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: Type.Union(['queued', 'running', 'finished', 'failed'].map((status) => Type.Literal(status))),
  version: count('Policy version in force at the time of the request.'),
  compared_with: Type.Union([Type.Literal('version'), Type.Literal('recorded')], {
    description:
      'Baseline, with which the decisions are compared. version: the decisions of the policy version in `version`. recorded: every recorded call counts as allowed.',
  }),
  since: time(''),
  until: time(''),
  limit: count('Maximum number of calls.'),
  examined: count('Number of calls examined so far; the newest calls are examined first.'),
  without_arguments: count(
    'Number of examined calls that were recorded without arguments; these calls are evaluated with empty arguments.',
  ),
  examined_back_to: nullable(
    time(''),
    'Time of the oldest call examined so far; null before the first call is examined.',
  ),
  decisions: DecisionCounts,
  decisions_before: nullable(
    DecisionCounts,
    'Decisions of the baseline on the same calls; null if an earlier version of the service examined some of these calls.',
  ),
  rules: nullable(
    Type.Array(
      Type.Object({
        rule_id: nullable(Type.String(), 'Null for the default, which decides if no rule does.'),
        before: count(
          'Number of calls that the rule decided in the version in force; 0 if `compared_with` is `recorded`.',
        ),
        after: count('Number of calls that the rule decides in the tested document.'),
        changed: count('Number of the calls counted in `after` that the baseline decides differently.'),
      }),
    ),
    'Every rule of the tested document in order, then the default, then rules that only the version in force has; null whenever `decisions_before` is null.',
  ),
  changed: count('Number of calls that would be decided differently.'),
  changed_examples: Type.Array(
    Type.Object({
      tool_call_id: Type.String({ format: 'uuid' }),
      runtime_session_id: Type.String({ format: 'uuid' }),
      occurred_at: time(''),
      tool_name: Type.String(),
      before: action(),
      after: action(),
      rule_id: nullable(Type.String(), 'Rule that decides; null if no rule decides and a default applies.'),
    }),
    { description: 'The newest calls that would be decided differently; at most 50.' },
  ),
  error: nullable(Type.String(), 'Why the backtest failed.'),
  created_at: time(''),
  finished_at: nullable(time(''), 'Time when the backtest ended; null while it is queued or running.'),
});
