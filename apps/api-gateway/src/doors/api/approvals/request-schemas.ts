import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { AI_DECISIONS, APPROVAL_STATUSES, VOTE_DECISIONS } from '@steward/slice-approvals';

const id = (description: string) => Type.String({ format: 'uuid', description });
const time = Type.String({ format: 'date-time' });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const Status = oneOf(APPROVAL_STATUSES, 'Everything but pending is final.');
const Decision = oneOf(VOTE_DECISIONS, 'What the person said.');

export const RequestParams = Type.Object({ approval_request_id: id('The request.') });
export const RequestQuery = Type.Object(
  {
    ...PageQuery,
    status: optional(Status),
    workflow_id: optional(id('Of this workflow.')),
    managed_agent_id: optional(Type.String({ minLength: 1, maxLength: 255, description: 'Of this agent.' })),
    execution_id: optional(id('Of this execution.')),
    runtime_session_id: optional(id('Of this session.')),
    mine: optional(Type.Boolean({ description: 'Pending ones that you may decide and have not.' })),
  },
  { additionalProperties: false },
);
export const WaitQuery = Type.Object(
  {
    wait: optional(
      Type.Integer({ minimum: 0, maximum: 60, description: 'Seconds the answer waits while the request is pending.' }),
    ),
  },
  { additionalProperties: false },
);
const Comment = optional(nullable(Type.String({ maxLength: 2000 }), 'The caller and every receiver read it.'));
export const DecideBody = Type.Object({ decision: Decision, comment: Comment }, { additionalProperties: false });
export const CancelBody = Type.Object({ comment: Comment }, { additionalProperties: false });

export const RequestAnswer = Type.Object({
  id: id('The request.'),
  status: Status,
  tool_name: Type.String(),
  server: Type.String({ description: '"local" for tools that do not run through the service.' }),
  arguments: Type.Unknown({ description: 'Of the call, with credentials masked.' }),
  summary: Type.String({ description: 'What the call would do; nothing of its arguments.' }),
  reasoning: nullable(Type.String({ description: 'What the agent says why. Nobody vouches for it.' })),
  approval_workflow_id: id('Who is asked.'),
  quorum: Type.Integer({
    description:
      'Approvals by different people that approve it; less while it waits, where the workflow wants less by now.',
  }),
  quorum_reachable: nullable(
    Type.Boolean(),
    'Whether those who may still decide suffice, as people, roles and workflow are now. Null once it is decided.',
  ),
  stuck_reason: nullable(Type.String(), 'Where they do not: why, and what helps.'),
  may_decide: Type.Array(Type.String(), {
    description: 'Names of people who may still decide it, now or once it is escalated: the first ten.',
  }),
  human_only: Type.Boolean({ description: 'An AI never decides it.' }),
  votes: Type.Array(
    Type.Object({
      user_id: Type.String({ format: 'uuid' }),
      display: Type.String(),
      decision: Decision,
      comment: nullable(Type.String()),
      via: Type.String({ enum: ['api', 'email'] }),
      at: time,
    }),
  ),
  managed_agent_id: nullable(Type.String()),
  managed_agent_name: nullable(Type.String()),
  runtime_session_id: nullable(Type.String({ format: 'uuid' })),
  execution_id: nullable(Type.String({ format: 'uuid' })),
  api_key_id: nullable(Type.String({ format: 'uuid' })),
  requester_user_id: id('The person whose credential made the call.'),
  rule: nullable(
    Type.Object({
      source: Type.String({ enum: ['policy', 'default'] }),
      rule_id: nullable(Type.String()),
      rule_name: nullable(Type.String()),
      expression: nullable(Type.String()),
      priority: nullable(Type.Integer()),
    }),
    'The rule of the policy that held the call.',
  ),
  policy_version: Type.Integer(),
  definition_hash: nullable(
    Type.String(),
    'Of the tool as its server described it: an approval is for this description alone. Null of tools that run elsewhere.',
  ),
  requested_at: time,
  expires_at: time,
  escalated_at: nullable(time, 'Since when escalation_user_ids of the workflow may decide, too.'),
  resolved_at: nullable(time),
  actor: nullable(
    Type.Object({
      kind: Type.String({ enum: ['user', 'ai', 'bypass', 'system'] }),
      id: nullable(Type.String()),
      reason: optional(Type.String()),
      model: optional(Type.String({ description: 'Alias of the model, of an ai.' })),
      confidence: optional(Type.Number({ description: 'How sure it was.' })),
    }),
    'Who decided.',
  ),
  comment: nullable(Type.String()),
  webhook_posted_at: nullable(time, 'When a receiver of the workflow accepted the request.'),
  webhook_error: nullable(Type.String({ description: 'Why no receiver of the workflow got it.' })),
  ai: nullable(
    Type.Object({
      decision: nullable(oneOf(AI_DECISIONS, 'Below the threshold of the workflow it decides nothing.')),
      confidence: nullable(Type.Number()),
      reason: Type.String({ description: 'In its words; without a decision why there is none.' }),
    }),
    'What the model said that was asked first. Null: none was, or it has not answered.',
  ),
});
