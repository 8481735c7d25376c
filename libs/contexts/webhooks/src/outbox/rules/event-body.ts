import { EVENT_ENVELOPE_VERSION, MAX_EVENT_BYTES, type Envelope, type TruncatedData } from '@steward/contracts';
import { CHAT_MESSAGE, MAIL_MESSAGE } from './message-types.ts';

/** A fact that is to be stored in the outbox as an event. */
export interface EventFact {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly accountId: string;
  readonly data: object;
}

export interface EventBody {
  /** The bytes that are stored, signed and sent. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

/**
 * Serializes an event once. A body may have up to 65,536 bytes; if it is longer, `data` is replaced by the truncation
 * marker.
 */
export function buildEventBody(fact: EventFact): EventBody {
  const whole = serialize(fact, fact.data);
  if (whole.byteLength <= MAX_EVENT_BYTES) return { bytes: whole, truncated: false };
  const reason = `The event is ${whole.byteLength} bytes; the limit is ${MAX_EVENT_BYTES}. Read the record through the API.`;
  const data: TruncatedData = { truncated: true, reason };
  return { bytes: serialize(fact, data), truncated: true };
}

/**
 * Returns the replacement for the body of a message: for an event, the envelope with the reason instead of its data;
 * for a chat message, the reason; for an email, an empty body, since no key is available here to encrypt a replacement.
 * The dispatcher does not send an email with an empty body.
 */
export function buildRedactedBody(fact: Omit<EventFact, 'data'>, reason: string): Buffer {
  if (fact.type === MAIL_MESSAGE) return Buffer.alloc(0);
  if (fact.type === CHAT_MESSAGE) return Buffer.from(JSON.stringify({ text: reason }));
  const data: TruncatedData = { truncated: true, reason };
  return serialize(fact, data);
}

function serialize(fact: Omit<EventFact, 'data'>, data: object): Buffer {
  const envelope: Envelope = {
    id: fact.id,
    type: fact.type,
    version: EVENT_ENVELOPE_VERSION,
    occurred_at: fact.occurredAt.toISOString(),
    account_id: fact.accountId,
    data,
  };
  return Buffer.from(JSON.stringify(envelope));
}
