import { Type } from '@sinclair/typebox';
import { literals } from '@steward/api';
import { nullable } from '@steward/http';
import { CHANNEL_KINDS, NOTICE_TYPES } from '@steward/webhooks';

const time = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.String({ format: 'uuid', description });

export const ChannelParams = Type.Object({ channel_id: id('The channel.') });

const kind = literals(CHANNEL_KINDS, 'Service that shows the notices.');
const url = Type.String({
  description:
    'Slack: the URL of an incoming webhook. Teams: the URL of a workflow that posts a card when it receives a webhook request. ntfy: the URL of a topic.',
});
const description = Type.String({
  maxLength: 500,
  description: 'Optional description, such as the name of the Slack channel.',
});
const notice = literals(NOTICE_TYPES, 'A kind of notice.');
const notices = Type.Array(notice, { minItems: 1, uniqueItems: true, description: 'Notices that are posted.' });
const token = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[!-~]+$',
  description: 'Access token of ntfy, sent as a bearer token. It is never returned.',
});

export const CreateChannelBody = Type.Object(
  {
    kind,
    url,
    description: Type.Optional(description),
    notices: Type.Optional(
      Type.Array(notice, {
        minItems: 1,
        uniqueItems: true,
        description:
          'Notices that are posted. Default: notices about new approval requests, about budgets that reach a threshold or are used up, and about endpoints whose deliveries fail.',
      }),
    ),
    token: Type.Optional(token),
  },
  { additionalProperties: false },
);

export const UpdateChannelBody = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    notices: Type.Optional(notices),
    active: Type.Optional(
      Type.Boolean({
        description: 'If false, notices are held. If true, held notices are sent and the circuit breaker is closed.',
      }),
    ),
    token: Type.Optional(nullable(token, 'A new access token; null removes it.')),
  },
  { additionalProperties: false },
);

export const TestNoticeBody = Type.Object(
  { notice: Type.Optional(literals(NOTICE_TYPES, 'Notice whose example is posted. Default: a test notice.')) },
  { additionalProperties: false },
);

export const TestNoticeAnswer = Type.Object({
  event_id: id('The test notice.'),
  delivery_id: id('Id of the delivery, which shows whether Slack, Teams or ntfy accepted the notice.'),
});

export const ChannelAnswer = Type.Object({
  id: id('The channel.'),
  kind,
  url: Type.String({
    description: 'URL to which notices are posted; its path is shown only to users who may change the channel.',
  }),
  description: Type.String({ description: 'Optional description.' }),
  notices: Type.Array(notice),
  active: Type.Boolean({ description: 'Whether notices are posted; if false, they are held.' }),
  token_hint: nullable(Type.String(), 'Last four characters of the access token; null if there is none.'),
  circuit_state: literals(['closed', 'open', 'half_open'], 'State of the circuit breaker.'),
  circuit_open_until: nullable(time(''), 'No attempt is made before this time.'),
  consecutive_failures: Type.Integer(),
  refusal_reason: nullable(Type.String(), 'Why the service currently refuses new notices for this channel.'),
  last_delivery_status: nullable(Type.String(), 'delivered, failed (will be retried) or dead.'),
  last_delivery_at: nullable(time(''), 'When the last attempt ended.'),
  last_response_status: nullable(Type.Integer(), 'HTTP status of the last attempt; null if there was no response.'),
  last_error: nullable(Type.String(), 'Short description of the error of the last attempt.'),
  created_at: time('When the channel was created.'),
  updated_at: time('When the channel was last changed.'),
});
