import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { FittedTools } from './rules/fit-tool.ts';

/**
 * What a server answered to the requests of one piece of work, as it answered: the SDK reads the envelope of an answer alone, and
 * gets a result that it has nothing to say to in place of this one.
 */
export interface Kept {
  /** Of anything but a list of tools. */
  result?: unknown;
  /** What the server asks its client for instead of answering, by the methods of the protocol. */
  asked?: readonly string[];
  /** Hears the log messages of the server that belong to this piece of work. */
  onLog?: (params: Readonly<Record<string, unknown>>) => void;
  /** Of `tools/list`, page by page. */
  readonly pages: FittedTools[];
  /** A call was sent: whatever happens then, its tool may have run. */
  isCalled: boolean;
  /** Aborted: nobody waits for an answer any more. */
  readonly over: AbortSignal;
}

/** A message that is sent, with all that is read for it. */
export interface Exchange {
  /** Undefined: it is no request. */
  readonly request: { readonly id: number | string; readonly method: string } | undefined;
  readonly kept: Kept | undefined;
  /** Read for it so far, of all its answers. */
  bytes: number;
  events: number;
  /** The last event that was named: from there on the rest is asked for. */
  lastEventId?: string;
  /** Why its answer is not read further. */
  excess?: Error;
}

const works = new AsyncLocalStorage<Kept>();
const exchanges = new AsyncLocalStorage<Exchange>();

/** Does a piece of work whose answers are kept. */
export async function keepAnswers<T>(work: (kept: Kept) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const kept: Kept = { pages: [], isCalled: false, over: over.signal };
  try {
    return await works.run(kept, () => work(kept));
  } catch (error) {
    // What was answered is read to its end, so that its connection is used again; what was not is read no further.
    over.abort();
    throw error;
  }
}

/** Sends a message: the SDK asks `fetch` without saying for which. */
export function exchange<T>(message: JSONRPCMessage | JSONRPCMessage[], send: (now: Exchange) => T): T {
  const request = 'method' in message && 'id' in message ? { id: message.id, method: message.method } : undefined;
  const now: Exchange = { request, kept: works.getStore(), bytes: 0, events: 0 };
  if (now.kept !== undefined && request?.method === 'tools/call') now.kept.isCalled = true;
  return exchanges.run(now, () => send(now));
}

/** Of the message whose answer is being read now. */
export const currentExchange = (): Exchange | undefined => exchanges.getStore();
