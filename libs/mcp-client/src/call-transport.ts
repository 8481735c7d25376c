import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { exchange, type Exchange } from './exchange.ts';

type TransportOptions = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];
type Listen = NonNullable<StreamableHTTPClientTransport['onmessage']>;
type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** A message that is no request and no answer. */
export interface ServerNotice {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Of the error that a call ends with when its answer cannot come any more: one that no server has a reason to send. */
export const ANSWER_LOST = -32_087;
export const CONNECTION_ENDED = 'the connection ended before the answer';

/** Requests of a server that are answered (pings) for one of ours. */
const MAX_ASKED = 50;
/** Between two looks for an answer that a server gives later, whatever it says. */
const POLL_MS = 250;

/**
 * The answer of a call comes on a stream of its own. One that ends without it (a process that was killed, a connection that was cut)
 * is waited for by the SDK until its time is over; here the call fails at once. A stream that a server ends having named an event is
 * asked for again from there on, as it says.
 */
export class CallTransport extends StreamableHTTPClientTransport {
  #asked = 0;

  /** @param onNotice - Whatever the server tells without being asked, at any time */
  constructor(url: URL, options: TransportOptions, onNotice: (notice: ServerNotice) => void = () => undefined) {
    super(url, {
      ...options,
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = setTimeout(reconnect, Math.max(delayMs, POLL_MS));
        return () => clearTimeout(timer);
      },
    });
    let listen: Listen | undefined;
    // Set by the SDK, which answers whatever it is asked: a server could have it send as many requests as there are events.
    Object.defineProperty(this, 'onmessage', {
      get: () => listen,
      set: (next: Listen | undefined) => {
        listen =
          next &&
          ((message) => {
            if ('method' in message && !('id' in message)) onNotice(message);
            if (!this.#isAskedTooMuch(message)) next(message);
          });
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if ('method' in message) this.#asked = 0;
    return exchange(message, (now) => {
      const onRequestStreamEnd = (): void => {
        options.onRequestStreamEnd?.();
        for (const request of Array.isArray(message) ? message : [message]) this.#giveUp(request, now);
      };
      // Nothing is polled for a call that is over.
      const signals = [options.requestSignal, now.kept?.over].filter((signal) => signal !== undefined);
      const ends = now.request === undefined || signals.length === 0 ? {} : { requestSignal: AbortSignal.any(signals) };
      return super.send(message, { ...options, ...ends, onRequestStreamEnd });
    });
  }

  #isAskedTooMuch(message: JSONRPCMessage): boolean {
    if (!('method' in message && 'id' in message)) return false;
    this.#asked += 1;
    return this.#asked > MAX_ASKED;
  }

  /** Nobody listens any more where the answer came before the end. */
  #giveUp(request: JSONRPCMessage, { excess }: Exchange): void {
    if (!('method' in request) || !('id' in request)) return;
    const message = excess?.message ?? CONNECTION_ENDED;
    this.onmessage?.({ jsonrpc: '2.0', id: request.id, error: { code: ANSWER_LOST, message } });
  }
}
