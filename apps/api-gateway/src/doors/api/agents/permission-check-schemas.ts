import { Type, type TSchema } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const id = (description: string) => Type.String({ format: 'uuid', description });

export const PermissionCheckBody = Type.Object(
  {
    tool_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool on its server.' }),
    server: optional(Type.String({ minLength: 1, maxLength: 200, description: 'Its server; "local" unless set.' })),
    arguments: optional(Type.Unknown({ description: 'As the tool would get them; {} unless set.' })),
    reasoning: optional(
      nullable(Type.String({ maxLength: 16_384 }), 'Why, in words of the agent: shown to approvers.'),
    ),
    runtime_session_id: optional(nullable(id('The session the call is of.'))),
    execution_id: optional(nullable(id('The flow execution the call is of.'))),
    takes_operator_notes: optional(
      Type.Boolean({ description: 'Whether the caller can show its agent the notes of the answer; true unless set.' }),
    ),
    wait_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 300,
        description: 'How long the answer may wait for an approval; 0 unless set.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Rule = Type.Object({
  version: Type.Integer({ description: 'Of the policy.' }),
  id: Type.String(),
  description: Type.String(),
});
/** A note as a hook gets it. */
export const HookNote = Type.Object({
  id: id('The note: one that comes twice has the same.'),
  text: Type.String({ description: 'As it was written.' }),
  framed: Type.String({ description: 'For the agent: in a frame that no text can close.' }),
  author: Type.Object({
    user_id: Type.String({ format: 'uuid' }),
    display: Type.String(),
    auth_method: Type.Union([Type.Literal('token'), Type.Literal('api_key')]),
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullable(Type.String({ format: 'date-time' })),
});

const DECISIONS = ['allow', 'deny', 'pending'] as const;

export const PermissionCheckAnswer = Type.Object({
  decision: Type.Unsafe<(typeof DECISIONS)[number]>({
    type: 'string',
    enum: [...DECISIONS],
    description: 'Only "allow" allows. An "allow" after an approval is for this one call.',
  }),
  reason: Type.String({ description: 'In words, never empty.' }),
  rule: nullable(Rule, 'Null where a default decided.'),
  condition_error: nullable(Type.String(), 'Why the condition of the rule counted as holding although it failed.'),
  approval_request_id: nullable(Type.String({ format: 'uuid' })),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'Of the pending request.'),
  operator_notes: Type.Array(HookNote, {
    description: 'What people have to say to the agent: delivered with this answer.',
  }),
  poll_after_seconds: nullable(Type.Integer(), 'Of a pending one: when to ask again with the very same call.'),
});
