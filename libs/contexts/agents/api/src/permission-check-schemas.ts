import { Type, type TSchema } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const id = (description: string) => Type.String({ format: 'uuid', description });

export const PermissionCheckBody = Type.Object(
  {
    tool_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool on its server.' }),
    server: optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Server of the tool; default "local".' }),
    ),
    arguments: optional(
      Type.Unknown({ description: 'Arguments of the call, as the tool would receive them; default {}.' }),
    ),
    reasoning: optional(
      nullable(Type.String({ maxLength: 16_384 }), 'The agent’s reason for the call, shown to approvers.'),
    ),
    runtime_session_id: optional(nullable(id('Session that the call belongs to.'))),
    execution_id: optional(nullable(id('Flow execution that the call belongs to.'))),
    takes_operator_notes: optional(
      Type.Boolean({ description: 'Whether the caller can show the returned notes to its agent; default true.' }),
    ),
    wait_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 300,
        description: 'Maximum number of seconds that the response may wait for an approval; default 0.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Rule = Type.Object({
  version: Type.Integer({ description: 'Version of the policy.' }),
  id: Type.String(),
  description: Type.String(),
});
/** A note in the format for hooks. */
export const HookNote = Type.Object(
  {
    id: id('Id of the note; a note that is delivered twice has the same id.'),
    text: Type.String({ description: 'Text of the note as it was written.' }),
    framed: Type.String({
      description: 'Text for the agent: the note inside a tag that the note’s own text cannot close.',
    }),
    author: Type.Object({
      user_id: Type.String({ format: 'uuid' }),
      display: Type.String(),
      auth_method: Type.Union([Type.Literal('token'), Type.Literal('api_key')]),
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'DeliveredNote' },
);

const DECISIONS = ['allow', 'deny', 'pending'] as const;

export const PermissionCheckAnswer = Type.Object({
  decision: Type.Unsafe<(typeof DECISIONS)[number]>({
    type: 'string',
    enum: [...DECISIONS],
    description: 'Only "allow" permits the call. An "allow" after an approval is valid for this one call.',
  }),
  reason: Type.String({ description: 'Human-readable explanation, never empty.' }),
  rule: nullable(Rule, 'The rule that decided; null if no rule decided and a default applied.'),
  condition_error: nullable(
    Type.String(),
    'Error that prevented the evaluation of the rule’s condition; the condition therefore counted as true.',
  ),
  approval_request_id: nullable(Type.String({ format: 'uuid' })),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'When the pending request expires.'),
  operator_notes: Type.Array(HookNote, {
    description: 'Operator notes for the agent, delivered with this response.',
  }),
  poll_after_seconds: nullable(
    Type.Integer(),
    'Seconds after which to repeat the same call; set while the request is pending.',
  ),
});
