import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { CHANNEL_KINDS, WORKFLOW_MODES } from '@steward/approvals';

const id = (description: string) => Type.String({ format: 'uuid', description });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const users = (description: string) => Type.Array(id('A user of the account.'), { maxItems: 50, description });
const Url = Type.String({ maxLength: 2048 });
const ChannelKind = Type.Unsafe<(typeof CHANNEL_KINDS)[number]>({
  type: 'string',
  enum: [...CHANNEL_KINDS],
  description:
    'webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text message.',
});

const Mode = Type.Unsafe<(typeof WORKFLOW_MODES)[number]>({
  type: 'string',
  enum: [...WORKFLOW_MODES],
  description: 'ai_first: a model is asked before people, unless the rule sets human_only.',
});

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S', description: 'Unique in the account.' });
const WorkflowBodyFields = {
  description: optional(Type.String({ maxLength: 2000 })),
  approver_user_ids: optional(
    users('Users who are asked to decide. If no users or roles are set, everyone who may decide approvals is asked.'),
  ),
  approver_roles: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      maxItems: 50,
      description: 'Roles whose users are asked to decide.',
    }),
  ),
  quorum: optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description:
        'Number of approvals by different people that a request needs; a single decline declines the request.',
    }),
  ),
  expires_seconds: optional(
    Type.Integer({ minimum: 30, maximum: 604_800, description: 'Seconds after which an undecided request expires.' }),
  ),
  approval_wait_seconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: 300,
      description: 'Maximum seconds that a call waits for its approval on an open connection.',
    }),
  ),
  require_comment: optional(Type.Boolean({ description: 'Whether a decision needs a comment.' })),
  allow_self_approval: optional(Type.Boolean({ description: 'Whether the requester may decide their own request.' })),
  escalate_after_seconds: optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: 604_799 }),
      'Seconds after which the users in escalation_user_ids may also decide.',
    ),
  ),
  escalation_user_ids: optional(users('Users who are asked if nobody has decided after escalate_after_seconds.')),
  channel_configs: optional(
    Type.Array(
      Type.Object(
        { kind: ChannelKind, url: optional(Url), webhook_url: optional(Url) },
        {
          additionalProperties: false,
          description: 'Set the address in `url`; the name `webhook_url` is also accepted.',
        },
      ),
      { maxItems: 10, description: 'Receivers of the requests and of their outcomes.' },
    ),
  ),
  approval_config: optional(
    Type.Object(
      {
        webhook_url: optional(nullable(Url, 'Address of the receiver; null removes it.')),
        webhook_secret: optional(
          Type.String({
            minLength: 16,
            maxLength: 256,
            description: 'Signing secret of your choice; generated if omitted.',
          }),
        ),
      },
      { additionalProperties: false, description: 'Older format that names a single receiver.' },
    ),
  ),
  email: optional(
    nullable(Type.Boolean(), 'Whether approvers receive email; null: yes if the deployment sends email (MAIL_FROM).'),
  ),
  is_default: optional(
    Type.Boolean({
      description:
        'Whether this workflow handles calls whose rule names no workflow. If true, this workflow replaces the previous default workflow.',
    }),
  ),
  mode: optional(Mode),
  ai_model_id: optional(nullable(id('The AI model of the account that is asked first.'))),
  ai_guidelines: optional(Type.String({ maxLength: 8_000, description: 'Instructions for the model.' })),
  ai_confidence_threshold: optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Minimum confidence for the model’s decision to take effect; default 0.8.',
    }),
  ),
};

export const CreateWorkflowBody = Type.Object({ name: Name, ...WorkflowBodyFields }, { additionalProperties: false });
export const UpdateWorkflowBody = Type.Object(
  { name: optional(Name), ...WorkflowBodyFields },
  { additionalProperties: false },
);
export const RotateWebhookSecretBody = Type.Object(
  {
    overlap_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'Seconds during which requests are also signed with the old secret; default 0.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const BypassBody = Type.Object(
  {
    minutes: Type.Integer({ minimum: 1, maximum: 240 }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description:
        'Reason for the bypass; included in the `approval.decided` event of each request that the bypass approves.',
    }),
  },
  { additionalProperties: false },
);
export const WorkflowParams = Type.Object({ workflow_id: id('The workflow.') });
export const WorkflowQuery = Type.Object(PageQuery, { additionalProperties: false });

export const WorkflowAnswer = Type.Object({
  id: id('The workflow.'),
  name: Type.String(),
  description: Type.String(),
  approver_user_ids: Type.Array(Type.String({ format: 'uuid' })),
  approver_roles: Type.Array(Type.String()),
  quorum: Type.Integer(),
  expires_seconds: Type.Integer(),
  approval_wait_seconds: Type.Integer(),
  require_comment: Type.Boolean(),
  allow_self_approval: Type.Boolean(),
  escalate_after_seconds: nullable(Type.Integer()),
  escalation_user_ids: Type.Array(Type.String({ format: 'uuid' })),
  channel_configs: Type.Array(Type.Object({ kind: ChannelKind, url: Type.String() })),
  approval_config: Type.Object({ webhook_url: nullable(Type.String()) }),
  email: Type.Boolean({ description: 'Whether approvers receive email.' }),
  webhook_secret_hint: nullable(
    Type.String({
      description: 'Last four characters of the secret; null if the workflow has no receiver of the kind webhook.',
    }),
  ),
  is_default: Type.Boolean(),
  mode: Mode,
  ai_model_id: nullable(Type.String({ format: 'uuid' })),
  ai_guidelines: Type.String(),
  ai_confidence_threshold: Type.Number(),
  bypass: nullable(
    Type.Object({
      until: Type.String({ format: 'date-time' }),
      reason: Type.String(),
      user_id: id('The user who started the bypass.'),
    }),
    'The active bypass; new requests are approved automatically until it ends.',
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export const SavedWorkflowAnswer = Type.Object({
  ...WorkflowAnswer.properties,
  webhook_secret: optional(
    Type.String({
      description: 'New secret with which requests to the receivers are signed, returned only in this response.',
    }),
  ),
});
