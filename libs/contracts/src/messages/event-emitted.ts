import { Type, type Static } from '@sinclair/typebox';
import { defineMessage } from './define-message.ts';
import { traceparent } from './traceparent.ts';

export const eventEmitted = defineMessage({
  name: 'event-emitted',
  subject: 'steward.webhooks.event-emitted.v1',
  stream: 'STEWARD_WEBHOOKS',
  version: 1,
  description: 'Deliveries of one event were queued. The message wakes the dispatcher; the rows define the work.',
  publishers: ['api-gateway', 'flow-trigger'],
  schema: Type.Object({
    account_id: Type.String({ format: 'uuid' }),
    event_id: Type.String({ format: 'uuid' }),
    event_type: Type.String({ minLength: 1, maxLength: 100 }),
    /**
     * Generation of the deliveries. It is part of the message id, because a replay has the same event id and must not
     * be dropped as a duplicate.
     */
    generation: Type.Integer({ minimum: 1 }),
    delivery_count: Type.Integer({ minimum: 0 }),
    traceparent,
  }),
  messageId: (payload) => `${payload.event_id}:${payload.generation}`,
  consumer: {
    app: 'webhook-dispatcher',
    durable: 'dispatcher_event-emitted-v1',
    ackWaitSeconds: 30,
    maxDeliver: 5,
    maxAckPending: 1024,
    dropsWaiting: true,
  },
});

export type EventEmitted = Static<typeof eventEmitted.schema>;
