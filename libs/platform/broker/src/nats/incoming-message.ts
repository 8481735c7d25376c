import type { JsMsg } from '@nats-io/jetstream';
import type { IncomingMessage } from './nats-types.ts';

export const MESSAGE_ID_HEADER = 'Nats-Msg-Id';

export function toIncoming(message: JsMsg): IncomingMessage {
  const id = message.headers?.get(MESSAGE_ID_HEADER);
  return {
    subject: message.subject,
    body: message.data,
    messageId: id === '' ? undefined : id,
    streamSequence: message.info.streamSequence,
    deliveryCount: message.info.deliveryCount,
    waitingCount: message.info.pending,
    ack: () => answer(() => message.ack()),
    nak: (delayMs) => answer(() => message.nak(delayMs)),
    term: () => answer(() => message.term()),
    working: () => answer(() => message.working()),
  };
}

/**
 * Acknowledges a message. If the connection has been closed in the meantime, nothing is sent, and the server delivers
 * the message again.
 */
function answer(send: () => void): void {
  try {
    send();
  } catch {
    // No message is lost, because the server delivers this one again.
  }
}
