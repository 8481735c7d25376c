import { Type, type Static } from '@sinclair/typebox';
import { timestamp } from './data/fields.ts';

export const EVENT_ENVELOPE_VERSION = '1';

/** Maximum size of a request body in bytes; if it is exceeded, `data` is replaced by a marker (EVT-7). */
export const MAX_EVENT_BYTES = 65_536;

/** Body of every request that delivers an event: it has exactly these six keys (EVT-1). */
export const EnvelopeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Id of the event; the same across retries and replays.' }),
    type: Type.String({ description: 'Event type.' }),
    version: Type.Literal(EVENT_ENVELOPE_VERSION, {
      description: 'Version of the event format, the same for all event types.',
    }),
    occurred_at: timestamp('When the event happened, not when it was sent.'),
    account_id: Type.String({ format: 'uuid', description: 'Owning account.' }),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'Data of the event; its fields depend on the event type.' },
    ),
  },
  { additionalProperties: false },
);

export type Envelope = Static<typeof EnvelopeSchema>;

/** Replacement for `data` if the complete body would exceed 64 KiB, or if the session of the event was deleted. */
export const TruncatedDataSchema = Type.Object(
  {
    truncated: Type.Literal(true, { description: 'Always true: the data is missing.' }),
    reason: Type.String({
      description:
        'Sentence that says why the data is missing: the event exceeded the size limit, or the session was deleted.',
    }),
  },
  { additionalProperties: false, title: 'TruncatedData' },
);

export type TruncatedData = Static<typeof TruncatedDataSchema>;
