import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { FittedTools } from './rules/fit-tool.ts';

/**
 * Original responses of the server to the requests of one piece of work: the SDK parses only the envelope of a
 * response, and gets a placeholder instead of the result.
 */
export interface Kept {
  /** Result of the last request; not set for `tools/list`, whose results are in `pages`. */
  result?: unknown;
  /** Methods that the server requested from the client instead of sending a response. */
  asked?: readonly string[];
  /** Receives the server's log messages that belong to this piece of work. */
  onLog?: (params: Readonly<Record<string, unknown>>) => void;
  /** Pages of `tools/list`. */
  readonly pages: FittedTools[];
  /** True as soon as a tool call has been sent: from then on, the tool may have run. */
  isCalled: boolean;
  /** Signal that is aborted when no caller waits for a response any longer. */
  readonly over: AbortSignal;
}

/** A sent message, with the state of reading its response. */
export interface Exchange {
  /** The request; undefined if the message is not a request. */
  readonly request: { readonly id: number | string; readonly method: string } | undefined;
  readonly kept: Kept | undefined;
  /** Number of bytes read so far in all HTTP responses to the message. */
  bytes: number;
  events: number;
  /** Id of the last event, after which the stream is resumed. */
  lastEventId?: string;
  /** Reason why the response is not read any further. */
  excess?: Error;
}

const works = new AsyncLocalStorage<Kept>();
const exchanges = new AsyncLocalStorage<Exchange>();

/** Runs one piece of work and collects its responses. */
export async function keepAnswers<T>(work: (kept: Kept) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const kept: Kept = { pages: [], isCalled: false, over: over.signal };
  try {
    return await works.run(kept, () => work(kept));
  } catch (error) {
    // The signal ends only the wait for a missing response: a response is read to its end, so that its connection can
    // be reused.
    over.abort();
    throw error;
  }
}

/**
 * Sends a message. While the message is being sent, its exchange is available in `fetch`, because the SDK does not pass
 * the message to `fetch`.
 */
export function exchange<T>(message: JSONRPCMessage | JSONRPCMessage[], send: (now: Exchange) => T): T {
  const request = 'method' in message && 'id' in message ? { id: message.id, method: message.method } : undefined;
  const now: Exchange = { request, kept: works.getStore(), bytes: 0, events: 0 };
  if (now.kept !== undefined && request?.method === 'tools/call') now.kept.isCalled = true;
  return exchanges.run(now, () => send(now));
}

/** Returns the exchange to which the running code belongs; undefined outside of an exchange. */
export const currentExchange = (): Exchange | undefined => exchanges.getStore();
