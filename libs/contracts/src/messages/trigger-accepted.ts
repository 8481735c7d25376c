import { Type, type Static } from '@sinclair/typebox';
import { defineMessage } from './define-message.ts';
import { traceparent } from './traceparent.ts';

export const triggerAccepted = defineMessage({
  name: 'trigger-accepted',
  subject: 'steward.flows.trigger-accepted.v1',
  stream: 'STEWARD_FLOWS',
  version: 1,
  description: 'An execution row was committed and waits for a worker to run it.',
  publishers: ['api-gateway', 'flow-trigger'],
  schema: Type.Object({
    account_id: Type.String({ format: 'uuid' }),
    flow_id: Type.String({ format: 'uuid' }),
    execution_id: Type.String({ format: 'uuid' }),
    traceparent,
  }),
  messageId: (payload) => payload.execution_id,
  consumer: {
    app: 'flow-trigger',
    durable: 'flows_trigger-accepted-v1',
    ackWaitSeconds: 60,
    maxDeliver: 5,
    maxAckPending: 256,
  },
});

export type TriggerAccepted = Static<typeof triggerAccepted.schema>;
