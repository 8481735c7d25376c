import { buildEventSchema, buildExampleEvent, EVENT_HEADERS, EVENT_TYPES, type EventType } from '@steward/contracts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** Builds the AsyncAPI 3 document of everything the service posts to receivers. */
export function describeAsyncApi(): object {
  const channel = { $ref: '#/channels/receiver' };
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Steward events',
      version: '1.0.0',
      description:
        'Signed events of a Steward account, posted to its endpoints: at least once, in any order. Verify the signature over the raw bytes, ' +
        'skip ids that were already handled, and ignore unknown types and unknown keys of `data`.',
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'events', description: 'Requests with which this service sends events to receivers.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      receiver: {
        host: '{host}',
        protocol: 'https',
        description: 'The host of an endpoint’s `url`.',
        variables: { host: { description: 'Host and port.', default: 'receiver.example.com' } },
      },
    },
    channels: {
      receiver: {
        address: null,
        title: 'A receiver',
        description: 'The `url` of an endpoint (`POST /api/v1/event-webhooks/endpoints`).',
        messages: Object.fromEntries(TYPES.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      deliver: {
        action: 'send',
        channel,
        title: 'Deliver an event',
        description:
          'Any 2xx accepts the event; after any other response, or no response in time, the delivery is retried.',
        messages: TYPES.map((type) => ({ $ref: `#/channels/receiver/messages/${type}` })),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: { messages: Object.fromEntries(TYPES.map((type) => [type, describeMessage(type)])) },
  };
}

function describeMessage(type: EventType): object {
  return {
    name: type,
    title: type,
    summary: EVENT_TYPES[type].description,
    contentType: 'application/json',
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(EVENT_HEADERS).map(([name, description]) => [name, { type: 'string', description }]),
      ),
    },
    payload: buildEventSchema(type),
    examples: [{ name: 'example', payload: buildExampleEvent(type) }],
  };
}
