import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Of the error that a call ends with when its answer cannot come any more: one that no server has a reason to send. */
export const ANSWER_LOST = -32_087;

/**
 * The answer of a call comes on a stream of its own. One that ends without it (a process that was killed, a connection that was cut)
 * is waited for by the SDK until its time is over; here the call fails at once.
 */
export class CallTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      for (const request of Array.isArray(message) ? message : [message]) this.#giveUp(request);
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }

  /** Nobody listens any more where the answer came before the end. */
  #giveUp(request: JSONRPCMessage): void {
    if (!('method' in request) || !('id' in request)) return;
    const error = { code: ANSWER_LOST, message: 'The connection ended before the answer.' };
    this.onmessage?.({ jsonrpc: '2.0', id: request.id, error });
  }
}
