import {
  buildEventSchema,
  buildExampleEvent,
  DELIVERY_CONTRACT,
  EVENT_HEADERS,
  EVENT_TYPES,
  type EventType,
} from '@steward/contracts';
import type { OpenApiWebhooks } from '@steward/http';

/** Describes the requests that the service sends to receivers, one per event type, for the OpenAPI document. */
export function describeWebhooks(): OpenApiWebhooks {
  return Object.fromEntries(
    (Object.keys(EVENT_TYPES) as EventType[]).map((type) => [type, describeWebhook(type)] as const),
  );
}

function describeWebhook(type: EventType) {
  const name = type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return {
    operationId: `receive${name}`,
    tags: ['events'],
    summary: EVENT_TYPES[type].description,
    description:
      'The event is sent at least once to each endpoint of the account that is subscribed to its type; a test event is sent only to the tested endpoint. Events can arrive in any order.',
    security: [],
    parameters: Object.entries(EVENT_HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: name !== DELIVERY_CONTRACT.traceHeader,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { ...buildEventSchema(type), title: `${name}Event` },
          example: buildExampleEvent(type),
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'The event was accepted. The body of the response has no effect; its first KiB is stored if the endpoint sets `keep_answers`.',
      },
      default: {
        description: `After any other response, or if there is no response, the delivery is retried, up to ${DELIVERY_CONTRACT.maxAttempts} attempts in total.`,
      },
    },
  };
}
