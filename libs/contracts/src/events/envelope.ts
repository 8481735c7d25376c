import { Type, type Static } from '@sinclair/typebox';
import { timestamp } from './data/fields.ts';

export const EVENT_ENVELOPE_VERSION = '1';

/** Largest request body; above it `data` is replaced by a marker (EVT-7). */
export const MAX_EVENT_BYTES = 65_536;

/** The body of every outbound request: exactly these six keys (EVT-1). */
export const EnvelopeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Stable for the fact described, over retries and replays.' }),
    type: Type.String({ description: 'Event type.' }),
    version: Type.Literal(EVENT_ENVELOPE_VERSION, { description: 'Version of the event family.' }),
    occurred_at: timestamp('When the fact happened, not when it was posted.'),
    account_id: Type.String({ format: 'uuid', description: 'Owning account.' }),
    data: Type.Object({}, { additionalProperties: true, description: 'Event specific.' }),
  },
  { additionalProperties: false },
);

export type Envelope = Static<typeof EnvelopeSchema>;

/** What stands in `data` when the whole body would be larger than 64 KB. */
export const TruncatedDataSchema = Type.Object(
  {
    truncated: Type.Literal(true, { description: 'The data was too large to send.' }),
    reason: Type.String({ description: 'How large it was and where to fetch the fact instead.' }),
  },
  { additionalProperties: false },
);

export type TruncatedData = Static<typeof TruncatedDataSchema>;
