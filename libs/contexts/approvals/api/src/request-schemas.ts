import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { AI_DECISIONS, APPROVAL_STATUSES, VOTE_DECISIONS } from '@steward/approvals';

const id = (description: string) => Type.String({ format: 'uuid', description });
const time = Type.String({ format: 'date-time' });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const Status = oneOf(APPROVAL_STATUSES, 'Every status except pending is final.');
const Decision = oneOf(VOTE_DECISIONS, 'The person’s decision.');

export const RequestParams = Type.Object({ approval_request_id: id('The request.') });
export const RequestQuery = Type.Object(
  {
    ...PageQuery,
    status: optional(Status),
    workflow_id: optional(id('Only requests of this workflow.')),
    managed_agent_id: optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Only requests of this agent.' }),
    ),
    execution_id: optional(id('Only requests of this execution.')),
    runtime_session_id: optional(id('Only requests of this session.')),
    mine: optional(Type.Boolean({ description: 'Only pending requests that you may decide and have not voted on.' })),
  },
  { additionalProperties: false },
);
export const WaitQuery = Type.Object(
  {
    wait: optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'Seconds to wait for a decision while the request is pending.',
      }),
    ),
  },
  { additionalProperties: false },
);
const Comment = optional(
  nullable(
    Type.String({ maxLength: 2000 }),
    'Comment; visible to the caller of the tool call, and to the webhooks and chat channels that receive the decision.',
  ),
);
export const DecideBody = Type.Object({ decision: Decision, comment: Comment }, { additionalProperties: false });
export const CancelBody = Type.Object({ comment: Comment }, { additionalProperties: false });

export const RequestAnswer = Type.Object({
  id: id('The request.'),
  status: Status,
  tool_name: Type.String(),
  server: Type.String({
    description: 'Server of the tool; "local" for tools that are not called through the service.',
  }),
  arguments: Type.Unknown({ description: 'Arguments of the call, with credentials masked.' }),
  summary: Type.String({
    description: 'Sentence that names the caller and the tool, without the arguments of the call.',
  }),
  reasoning: nullable(Type.String({ description: 'The agent’s reason for the call. It is not verified.' })),
  approval_workflow_id: id('Workflow whose approvers decide on the request.'),
  quorum: Type.Integer({
    description:
      'Number of approvals by different people that the request needs. If the workflow’s quorum is lowered while the request is pending, this number is lowered as well.',
  }),
  quorum_reachable: nullable(
    Type.Boolean(),
    'Whether the request can still be approved, given the current users, roles and workflow: enough people can still decide, or a model is asked first and has not responded. Null if the request is no longer pending.',
  ),
  stuck_reason: nullable(
    Type.String(),
    'Why too few people can decide, and how to fix this; null unless quorum_reachable is false.',
  ),
  may_decide: Type.Array(Type.String(), {
    description: 'Names of people who may still decide, now or after escalation; at most ten.',
  }),
  human_only: Type.Boolean({ description: 'Whether only people may decide on the request, never an AI model.' }),
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
  requester_user_id: id('The user whose credential was used for the call.'),
  rule: nullable(
    Type.Object({
      source: Type.String({ enum: ['policy', 'default'] }),
      rule_id: nullable(Type.String()),
      rule_name: nullable(Type.String()),
      expression: nullable(Type.String()),
    }),
    'The policy rule that required the approval.',
  ),
  policy_version: Type.Integer(),
  definition_hash: nullable(
    Type.String(),
    'Hash of the tool’s definition; the approval is valid only for this definition. Null for tools that are not called through the service.',
  ),
  requested_at: time,
  expires_at: time,
  escalated_at: nullable(time, 'Time from which the users in the workflow’s escalation_user_ids may also decide.'),
  resolved_at: nullable(time),
  actor: nullable(
    Type.Object({
      kind: Type.String({ enum: ['user', 'ai', 'bypass', 'system'] }),
      id: nullable(Type.String()),
      reason: optional(Type.String()),
      model: optional(Type.String({ description: 'Alias of the model; set if the kind is ai.' })),
      confidence: optional(Type.Number({ description: 'Confidence of the model, from 0 to 1.' })),
    }),
    'The person, model, bypass or system that decided.',
  ),
  comment: nullable(Type.String()),
  webhook_posted_at: nullable(
    time,
    'When the request was first delivered to a receiver of the workflow; only receivers of the kind webhook count.',
  ),
  webhook_error: nullable(
    Type.String({
      description:
        'Why the request could not be delivered to a receiver of the kind webhook; null once such a receiver has accepted the request.',
    }),
  ),
  ai: nullable(
    Type.Object({
      decision: nullable(
        oneOf(
          AI_DECISIONS,
          'Decision of the model; it has no effect if its confidence is below the workflow’s threshold.',
        ),
      ),
      confidence: nullable(Type.Number()),
      reason: Type.String({
        description: 'The model’s explanation of its decision; if the model made no decision, the reason why.',
      }),
    }),
    'Response of the model that was asked first. Null: no model was asked, or it has not responded.',
  ),
});
