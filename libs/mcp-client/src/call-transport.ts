import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { exchange, type Exchange } from './exchange.ts';

type TransportOptions = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];
type Listen = NonNullable<StreamableHTTPClientTransport['onmessage']>;
type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** A notification: a message that is neither a request nor a response. */
export interface ServerNotice {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Error code of a call whose response can no longer arrive; a server has no reason to send this code. */
export const ANSWER_LOST = -32_087;
export const CONNECTION_ENDED = 'the connection ended before the response';

/** Maximum number of server requests (pings) that are answered during one request of the client. */
const MAX_ASKED = 50;
/** Minimum pause in milliseconds between two polls for a late response, even if the server requests a shorter one. */
const POLL_MS = 250;

/**
 * Transport of a conversation, in which the response to a call arrives on a separate stream. If the stream ends without
 * a response (killed process, lost connection), the SDK would wait until the timeout; here the call fails immediately.
 * If a server ends a stream after an event with an id, the stream is requested again from that event, as the protocol
 * requires.
 */
export class CallTransport extends StreamableHTTPClientTransport {
  #asked = 0;

  /** @param onNotice - receives the server's notifications, at any time */
  constructor(url: URL, options: TransportOptions, onNotice: (notice: ServerNotice) => void = () => undefined) {
    super(url, {
      ...options,
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = setTimeout(reconnect, Math.max(delayMs, POLL_MS));
        return () => clearTimeout(timer);
      },
    });
    let listen: Listen | undefined;
    // This handler passes only a limited number of the server's requests to the SDK's handler. The SDK's handler
    // responds to every request, so a server could otherwise make the client send one response per event.
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
      // These signals end the polling for a response for which no caller waits any longer.
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

  /** Ends a request whose stream has ended; has no effect if the response arrived before that. */
  #giveUp(request: JSONRPCMessage, { excess }: Exchange): void {
    if (!('method' in request) || !('id' in request)) return;
    const message = excess?.message ?? CONNECTION_ENDED;
    this.onmessage?.({ jsonrpc: '2.0', id: request.id, error: { code: ANSWER_LOST, message } });
  }
}
