import type { AnyContract } from '../catalogue.ts';

export interface Greeting {
  readonly id: string;
  readonly text: string;
}

/** Returns a small contract whose time limits are short enough for tests. */
export function defineGreeting<Name extends string>(name: Name, consumer: Partial<AnyContract['consumer']> = {}) {
  return {
    name,
    subject: `steward.test.${name}.v1`,
    stream: 'STEWARD_TEST',
    version: 1,
    description: 'A message of the tests.',
    publishers: ['api-gateway'],
    schema: {
      type: 'object',
      required: ['id', 'text'],
      properties: { id: { type: 'string' }, text: { type: 'string', maxLength: 100 } },
    },
    messageId: (payload: Greeting) => payload.id,
    consumer: {
      app: 'webhook-dispatcher',
      durable: `test_${name}-v1`,
      ackWaitSeconds: 30,
      maxDeliver: 3,
      maxAckPending: 100,
      ...consumer,
    },
  } as const;
}
