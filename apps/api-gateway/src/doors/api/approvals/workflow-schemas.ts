import { Type, type TSchema } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { CHANNEL_KINDS, WORKFLOW_MODES } from '@steward/slice-approvals';

const id = (description: string) => Type.String({ format: 'uuid', description });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const users = (description: string) => Type.Array(id('A user of the account.'), { maxItems: 50, description });
const Url = Type.String({ maxLength: 2048 });
const ChannelKind = Type.Unsafe<(typeof CHANNEL_KINDS)[number]>({
  type: 'string',
  enum: [...CHANNEL_KINDS],
  description: 'webhook: signed events, as any other receiver gets them. slack, mattermost: a text for people.',
});

const Mode = Type.Unsafe<(typeof WORKFLOW_MODES)[number]>({
  type: 'string',
  enum: [...WORKFLOW_MODES],
  description: 'ai_first: a model is asked before people are, unless the rule says human_only.',
});

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S', description: 'Unique in the account.' });
const WorkflowBodyFields = {
  description: optional(Type.String({ maxLength: 2000 })),
  approver_user_ids: optional(users('Who is asked. With no roles either: everybody who may decide approvals.')),
  approver_roles: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      maxItems: 50,
      description: 'Everybody of these roles.',
    }),
  ),
  quorum: optional(
    Type.Integer({ minimum: 1, maximum: 10, description: 'Approvals by different people; one decline declines.' }),
  ),
  expires_seconds: optional(
    Type.Integer({ minimum: 30, maximum: 604_800, description: 'After which an undecided request expires.' }),
  ),
  approval_wait_seconds: optional(
    Type.Integer({ minimum: 0, maximum: 300, description: 'The longest a held call waits on its connection.' }),
  ),
  require_comment: optional(Type.Boolean({ description: 'A decision needs a comment.' })),
  allow_self_approval: optional(Type.Boolean({ description: 'Whether the person whose call it is may decide.' })),
  escalate_after_seconds: optional(
    nullable(Type.Integer({ minimum: 1, maximum: 604_799 }), 'After which escalation_user_ids may decide, too.'),
  ),
  escalation_user_ids: optional(users('Who is asked when nobody decided in time.')),
  channel_configs: optional(
    Type.Array(
      Type.Object(
        { kind: ChannelKind, url: optional(Url), webhook_url: optional(Url) },
        { additionalProperties: false, description: 'The address is `url`; `webhook_url` is understood, too.' },
      ),
      { maxItems: 10, description: 'Where requests and their outcomes are told.' },
    ),
  ),
  approval_config: optional(
    Type.Object(
      {
        webhook_url: optional(nullable(Url, 'Null takes it away.')),
        webhook_secret: optional(
          Type.String({ minLength: 16, maxLength: 256, description: 'Chosen by you; else one is generated.' }),
        ),
      },
      { additionalProperties: false, description: 'The older way to name one receiver.' },
    ),
  ),
  email: optional(
    nullable(Type.Boolean(), 'Whether those who are asked get mail; null: where the deployment sends any (MAIL_FROM).'),
  ),
  is_default: optional(Type.Boolean({ description: 'Of calls whose rule names none; taken from the one that was.' })),
  mode: optional(Mode),
  ai_model_id: optional(nullable(id('An AI model of the account: the one that is asked.'))),
  ai_guidelines: optional(Type.String({ maxLength: 8_000, description: 'What the model goes by.' })),
  ai_confidence_threshold: optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'From which confidence on the model decides; 0.8 unless set.' }),
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
      Type.Integer({ minimum: 0, maximum: 86_400, description: 'How long the old one signs, too; 0 unless set.' }),
    ),
  },
  { additionalProperties: false },
);
export const BypassBody = Type.Object(
  {
    minutes: Type.Integer({ minimum: 1, maximum: 240 }),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Stands in every event.' }),
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
  email: Type.Boolean({ description: 'Whether those who are asked get mail.' }),
  webhook_secret_hint: nullable(Type.String({ description: 'The end of the secret; null without a receiver.' })),
  is_default: Type.Boolean(),
  mode: Mode,
  ai_model_id: nullable(Type.String({ format: 'uuid' })),
  ai_guidelines: Type.String(),
  ai_confidence_threshold: Type.Number(),
  bypass: nullable(
    Type.Object({ until: Type.String({ format: 'date-time' }), reason: Type.String(), user_id: id('Who began it.') }),
    'Everything is approved at once until then.',
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export const SavedWorkflowAnswer = Type.Object({
  ...WorkflowAnswer.properties,
  webhook_secret: optional(Type.String({ description: 'A new secret of the receivers: shown in this answer alone.' })),
});
