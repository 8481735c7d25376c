import { DEAD_LETTER_SUBJECT_PREFIX } from '@steward/contracts';
import { redact } from '@steward/process';
import type { AnyContract } from './catalogue.ts';
import type { IncomingMessage, OutgoingMessage } from './nats/nats-types.ts';

/** Headers of a dead letter, in the order in which people read them. */
export const DEAD_LETTER_HEADERS = {
  reason: 'Steward-Reason',
  subject: 'Steward-Subject',
  durable: 'Steward-Durable',
  sequence: 'Steward-Sequence',
  deliveryCount: 'Steward-Delivery-Count',
} as const;

// eslint-disable-next-line no-control-regex -- control characters are exactly what has to go.
const CONTROL = /[\u0000-\u001f\u007f]+/g;
const LONGEST_REASON = 500;

/** Creates the dead letter: the original bytes, with reason, origin and delivery count in the headers. */
export function buildDeadLetter(
  contract: AnyContract,
  message: Pick<IncomingMessage, 'subject' | 'body' | 'messageId' | 'streamSequence' | 'deliveryCount'>,
  reason: string,
): Omit<OutgoingMessage, 'timeoutMs'> {
  return {
    subject: `${DEAD_LETTER_SUBJECT_PREFIX}.${contract.name}`,
    body: message.body,
    // If the acknowledgement of the copy is lost, the message is delivered and copied again. Because both copies have
    // this id, the stream stores only one of them.
    messageId: `${contract.consumer.durable}:${message.streamSequence}:${message.messageId ?? ''}`,
    headers: {
      [DEAD_LETTER_HEADERS.reason]: toHeaderValue(reason),
      [DEAD_LETTER_HEADERS.subject]: message.subject,
      [DEAD_LETTER_HEADERS.durable]: contract.consumer.durable,
      [DEAD_LETTER_HEADERS.sequence]: String(message.streamSequence),
      [DEAD_LETTER_HEADERS.deliveryCount]: String(message.deliveryCount),
    },
  };
}

/**
 * Converts a reason to the value of a header. The reason may be the message of any error, so line breaks (which would
 * end the header) and secrets are removed, and the length is limited.
 */
function toHeaderValue(text: string): string {
  return String(redact(text)).replace(CONTROL, ' ').slice(0, LONGEST_REASON).toWellFormed();
}
