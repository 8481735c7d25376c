import { Type } from '@sinclair/typebox';
import { literals } from '@steward/api';
import { nullable } from '@steward/http';
import { NOTICE_TYPES } from '@steward/webhooks';

const time = (description: string) => Type.String({ format: 'date-time', description });
const notices = Type.Array(literals(NOTICE_TYPES, 'A kind of notice.'), {
  minItems: 1,
  uniqueItems: true,
  description:
    'Notices that are pushed to the browser. A notice is pushed only if you may read its subject, such as the approval request.',
});

export const SubscriptionParams = Type.Object({
  subscription_id: Type.String({ format: 'uuid', description: 'The subscription.' }),
});

export const SubscribeBody = Type.Object(
  {
    url: Type.String({ description: '`endpoint` of the subscription that the browser created.' }),
    keys: Type.Object(
      {
        p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}$', description: 'Public key of the browser, base64url.' }),
        auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', description: 'Secret of the browser, base64url.' }),
      },
      { additionalProperties: false },
    ),
    notices,
    description: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the browser.' })),
  },
  { additionalProperties: false },
);

export const ChooseNoticesBody = Type.Object({ notices }, { additionalProperties: false });

export const PushKeyAnswer = Type.Object({
  public_key: Type.String({ description: 'Key of this deployment (VAPID), base64url.' }),
});

export const SubscriptionAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  description: Type.String({ description: 'Name of the browser.' }),
  push_service: nullable(Type.String(), 'Origin of the browser’s push service.'),
  current: Type.Boolean({ description: 'Whether the browser was subscribed with the login of this request.' }),
  notices,
  last_delivery_status: nullable(Type.String(), 'delivered, failed (will be retried) or dead.'),
  last_delivery_at: nullable(time(''), 'When the last attempt ended.'),
  last_error: nullable(Type.String(), 'Short description of the error of the last attempt.'),
  created_at: time('When the browser was subscribed.'),
});
