import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';

type TransportOptions = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];
type Listen = NonNullable<StreamableHTTPClientTransport['onmessage']>;
type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Of the error that a call ends with when its answer cannot come any more: one that no server has a reason to send. */
export const ANSWER_LOST = -32_087;

/** Requests of a server that are answered (pings) for one of ours. */
const MAX_ASKED = 50;

interface Sending {
  /** Why its answer is not read further. */
  excess?: Error;
}

/** Which message is being sent: the SDK asks `fetch` without saying so. */
const sending = new AsyncLocalStorage<Sending>();

/** Of the message whose answer is being read now: why it ends. */
export function noteExcess(): (error: Error) => void {
  const now = sending.getStore();
  return (error) => {
    if (now !== undefined) now.excess ??= error;
  };
}

/**
 * The answer of a call comes on a stream of its own. One that ends without it (a process that was killed, a connection that was cut)
 * is waited for by the SDK until its time is over; here the call fails at once.
 */
export class CallTransport extends StreamableHTTPClientTransport {
  #asked = 0;

  constructor(url: URL, options: TransportOptions) {
    super(url, options);
    let listen: Listen | undefined;
    // Set by the SDK, which answers whatever it is asked: a server could have it send as many requests as there are events.
    Object.defineProperty(this, 'onmessage', {
      get: () => listen,
      set: (next: Listen | undefined) => {
        listen = next && ((message) => (this.#isAskedTooMuch(message) ? undefined : next(message)));
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    const now: Sending = {};
    if ('method' in message) this.#asked = 0;
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      for (const request of Array.isArray(message) ? message : [message]) this.#giveUp(request, now);
    };
    return sending.run(now, () => super.send(message, { ...options, onRequestStreamEnd }));
  }

  #isAskedTooMuch(message: JSONRPCMessage): boolean {
    if (!('method' in message && 'id' in message)) return false;
    this.#asked += 1;
    return this.#asked > MAX_ASKED;
  }

  /** Nobody listens any more where the answer came before the end. */
  #giveUp(request: JSONRPCMessage, { excess }: Sending): void {
    if (!('method' in request) || !('id' in request)) return;
    const message = excess?.message ?? 'its connection ended before its answer';
    this.onmessage?.({ jsonrpc: '2.0', id: request.id, error: { code: ANSWER_LOST, message } });
  }
}
