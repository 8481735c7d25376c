import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_BACKTEST_CALLS, POLICY_ACTIONS } from '@steward/slice-policies';

const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ description });
const action = () => Type.Unsafe<(typeof POLICY_ACTIONS)[number]>({ type: 'string', enum: [...POLICY_ACTIONS] });

export const BacktestBody = Type.Object(
  {
    document: Type.Optional(Type.Unknown({ description: 'Its text, or what it says; the one in force unless set.' })),
    since: time('Calls from then on.'),
    until: Type.Optional(time('Calls before; now unless set.')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_BACKTEST_CALLS, description: 'Calls at most, the newest.' }),
    ),
  },
  { additionalProperties: false },
);

export const BacktestParams = Type.Object({
  backtest_id: Type.String({ format: 'uuid', description: 'The backtest.' }),
});

export const BacktestAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: Type.Union(['queued', 'running', 'finished', 'failed'].map((status) => Type.Literal(status))),
  version: count('Version in force when it was asked for.'),
  compared_with: Type.Union([Type.Literal('version'), Type.Literal('recorded')], {
    description: 'What "changed" is against: that version, or what really happened.',
  }),
  since: time(''),
  until: time(''),
  limit: count('Calls at most.'),
  examined: count('Calls tried so far, newest first.'),
  without_arguments: count('Of these, recorded without arguments: conditions saw none.'),
  decisions: Type.Object({ allow: count(''), deny: count(''), require_approval: count('') }),
  changed: count('Calls that would be decided otherwise.'),
  changed_examples: Type.Array(
    Type.Object({
      tool_call_id: Type.String({ format: 'uuid' }),
      runtime_session_id: Type.String({ format: 'uuid' }),
      occurred_at: time(''),
      tool_name: Type.String(),
      before: action(),
      after: action(),
      rule_id: nullable(Type.String(), 'Null: a default decides.'),
    }),
    { description: 'The newest of them, at most 50.' },
  ),
  error: nullable(Type.String(), 'Why it failed.'),
  created_at: time(''),
  finished_at: nullable(time(''), 'Null while it is under way.'),
});
