import { Type } from '@sinclair/typebox';
import { EnvelopeSchema, EVENT_ENVELOPE_VERSION, TruncatedDataSchema, type Envelope } from './envelope.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

/**
 * Builds the schema of the complete body of an event of this type; receivers may rely on the schema. `data` contains
 * the fields of the type, or states why they are missing (EVT-7, EVT-18).
 */
export function buildEventSchema(type: EventType) {
  return Type.Object(
    {
      ...EnvelopeSchema.properties,
      type: Type.Literal(type, { description: 'Event type.' }),
      data: Type.Union([EVENT_TYPES[type].schema, TruncatedDataSchema], {
        description: 'Data of the event; its fields depend on the event type.',
      }),
    },
    { additionalProperties: false },
  );
}

/** Fields that contain the time of the event in an example, in order of precedence. */
const TIMES = [
  'discovered_at',
  'delivered_at',
  'resolved_at',
  'finished_at',
  'ended_at',
  'requested_at',
  'created_at',
  'first_seen_at',
];

/** Returns an example event of the type. */
export function buildExampleEvent(type: EventType): Envelope {
  const data = EVENT_TYPES[type].example as Readonly<Record<string, unknown>>;
  const happened = TIMES.map((name) => data[name]).find((value) => typeof value === 'string');
  return {
    id: '0199f3a2-6a60-5c1e-9d53-0a4f5f0d1b11',
    type,
    version: EVENT_ENVELOPE_VERSION,
    occurred_at: happened ?? '2026-11-20T09:10:31.000Z',
    account_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
    data,
  };
}
