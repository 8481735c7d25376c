import { Client, ProtocolError, ProtocolErrorCode, type JsonSchemaValidator } from '@modelcontextprotocol/client';
import {
  AnswerLimitError,
  createGuardedFetch,
  createProviderPools,
  type GuardedFetch,
  type ProviderPoolsOptions,
} from '@steward/egress';
import { askServer, CALL_MS, callTool, listOffers, listTools, useLevel, WHOLE_CALL_MS } from './ask-server.ts';
import { ANSWER_LOST, CallTransport, type ServerNotice } from './call-transport.ts';
import { createConnections, type Connection, type Connections, type Opening } from './connections.ts';
import { converse } from './converse.ts';
import { currentExchange, keepAnswers, type Kept } from './exchange.ts';
import { keepListening } from './keep-listening.ts';
import { readAnswer } from './read-answer.ts';
import { describeFailure, describeStatus } from './rules/describe-failure.ts';
import { describeAsked } from './rules/describe-asked.ts';
import {
  ServerRefusal,
  type ToolServerCall,
  type ToolServerClient,
  type ToolServerTarget,
} from './tool-server-client.ts';

export type ToolServerClientOptions = Omit<ProviderPoolsOptions, 'agent'>;

/** Client name that is sent to servers. */
const INFO = { name: 'steward', version: '1' };

const CONNECT_MS = 15_000;
const LIST_MS = 30_000;
/** Time limit in milliseconds for all pages of a list together. */
const WHOLE_LIST_MS = 60_000;
/** Size limit in bytes for all pages of a list together. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Limits of one response, including all its events (LIM-80). */
const ANSWER_LIMITS = { maxBytes: 4 * 1024 * 1024, maxValues: 50_000, maxDepth: 200, maxEvents: 5_000 };
/**
 * Maximum number of events of a response in the conversation for lists; each event needs about 7 KiB of memory when it
 * is read. Responses to calls may have more events, because they may report progress for minutes.
 */
const MAX_LIST_EVENTS = 500;
/**
 * Maximum number of simultaneous requests of one conversation, including the client's responses to requests from the
 * server, because the server may send a request with every event.
 */
const MAX_REQUESTS = 300;
/** Minimum interval in milliseconds between two notifications about changes to the server's tools. */
const TOLD_EVERY_MS = 1000;
/** Caller id of the conversation that is used only for listing tools and other offers. */
const LISTER = '';
/** Validator that accepts any value, since schemas from servers are passed on, and never compiled here. */
const PASS_SCHEMAS = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (data) => ({ valid: true, data: data as T, errorMessage: undefined }),
};

/**
 * Creates the client, which has one set of connection pools for all servers, and one conversation for each server and
 * caller.
 */
export function createToolServerClient(options: ToolServerClientOptions): ToolServerClient {
  const pools = createProviderPools({
    ...options,
    // This size limit is higher than that of `ANSWER_LIMITS`, so that `ANSWER_LIMITS` applies first where possible: its
    // error states which limit was exceeded.
    agent: { headersTimeout: CALL_MS, bodyTimeout: CALL_MS, maxResponseSize: 2 * ANSWER_LIMITS.maxBytes },
  });
  const send = createGuardedFetch(pools);
  const listeners = new Set<Promise<void>>();
  const closing = new AbortController();
  const connections = createConnections((opening) => connect(opening, send));

  const { list, ask } = createWork(connections);

  return {
    listTools: (target, signal) => list(target, signal, listTools),
    listOffers: (target, kind, signal) =>
      list(target, signal, (connection, request) => listOffers(connection, kind, request)),
    callTool: (target, call) =>
      ask(target, call, {
        work: ({ client }, kept) => callTool(client, call, kept),
        onRefused: ({ message }) => ({ isError: true, content: [{ type: 'text', text: message }] }),
      }),
    request: (target, request) =>
      ask(target, request, {
        work: ({ client }, kept) => askServer(client, request, kept),
        onRefused: (refusal) => {
          throw refusal;
        },
      }),
    async readJson(target, path, signal, method = 'GET') {
      const limits = { ...ANSWER_LIMITS, timeoutMs: CONNECT_MS };
      try {
        const answer = await send(
          new URL(path, target.url),
          { method, headers: { ...target.headers }, signal },
          limits,
        );
        if (answer.ok) return (await answer.json()) as unknown;
        await answer.body?.cancel();
        throw describeStatus(answer.status, target);
      } catch (error) {
        throw describeFailure(error, target);
      }
    },
    async listen(target, listening) {
      const begin = (onNotice: (notice: ServerNotice) => void) =>
        connect({ target, caller: listening.caller, prior: undefined }, send, onNotice);
      const listened = keepListening(begin, {
        ...listening,
        signal: AbortSignal.any([listening.signal, closing.signal]),
      });
      listeners.add(listened);
      await listened.finally(() => listeners.delete(listened));
    },
    async close() {
      closing.abort();
      await Promise.all(listeners);
      await connections.close();
      await pools.close();
    },
  };
}

type Refused<T> = (refusal: ServerRefusal) => T;

/** Returns functions that run work in conversations and convert its failures. */
function createWork(connections: Connections) {
  /** Runs a list request in a conversation that is not used for calls. */
  async function list<T>(
    target: ToolServerTarget,
    signal: AbortSignal,
    read: (connection: Connection, request: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<T>,
  ): Promise<T> {
    const request = { signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_LIST_MS)]), timeout: LIST_MS };
    try {
      return await converse(connections, { target, caller: LISTER, signal }, (connection) => read(connection, request));
    } catch (error) {
      throw describeFailure(error, target);
    }
  }

  /**
   * Runs a request of a caller in the caller's conversation.
   * @param onRefused - receives the protocol error of the server, or an error that says that the server sent a request
   */
  async function ask<T>(
    target: ToolServerTarget,
    call: Omit<ToolServerCall, 'name' | 'arguments'>,
    { work, onRefused }: { work: (connection: Connection, kept: Kept) => Promise<T>; onRefused: Refused<T> },
  ): Promise<T> {
    let kept: Kept | undefined;
    try {
      return await keepAnswers((answers) => {
        kept = answers;
        if (call.onLog !== undefined) answers.onLog = call.onLog;
        return converse(connections, { target, caller: call.caller, signal: call.signal }, async (connection) => {
          await useLevel(connection, call);
          const done = await work(connection, answers);
          if (answers.asked !== undefined)
            throw new ProtocolError(ProtocolErrorCode.InternalError, 'the server sent a request to its client');
          return done;
        });
      });
    } catch (error) {
      if (kept?.asked !== undefined)
        return onRefused(new ServerRefusal(ProtocolErrorCode.InternalError, describeAsked(target.name, kept.asked)));
      if (error instanceof ProtocolError && error.code !== ANSWER_LOST)
        return onRefused(new ServerRefusal(error.code, error.message, error.data));
      throw describeFailure(error, target, kept?.isCalled);
    }
  }

  return { list, ask };
}

/**
 * Begins a conversation.
 * @param onNotice - set only for a conversation that listens for notifications: it opens their stream, which has the
 *   time limit of a response
 */
async function connect(
  { target, caller, prior }: Opening,
  send: GuardedFetch,
  onNotice?: (notice: ServerNotice) => void,
): Promise<Connection> {
  let timeoutMs = CONNECT_MS;
  let open = 0;
  /** Number of bytes that may still be read for the current list. */
  let listBytes = Infinity;
  const request: typeof globalThis.fetch = async (url, init) => {
    const now = currentExchange();
    const headers = new Headers(init?.headers);
    if (init?.method === 'GET') {
      // The event id of this exchange is used, since the SDK stores only that of the last stream.
      if (now?.lastEventId !== undefined) headers.set('last-event-id', now.lastEventId);
      // The stream for notifications between two calls is not opened, since there would be an unused one for each
      // caller.
      if (!headers.has('last-event-id') && onNotice === undefined) return new Response(null, { status: 405 });
    }
    if (open >= MAX_REQUESTS) throw new AnswerLimitError(`the server sends more than ${MAX_REQUESTS} requests at once`);
    const limits = {
      ...ANSWER_LIMITS,
      maxBytes: Math.max(0, Math.min(ANSWER_LIMITS.maxBytes - (now?.bytes ?? 0), listBytes)),
      maxEvents: caller === LISTER ? MAX_LIST_EVENTS : ANSWER_LIMITS.maxEvents,
      timeoutMs,
    };
    const onRead = (bytes: number): void => {
      listBytes -= bytes;
      if (now !== undefined) now.bytes += bytes;
    };
    const onExcess = (error: Error): void => {
      if (now !== undefined) now.excess ??= error;
    };
    open += 1;
    try {
      const answer = await sendAuthorized(target, headers, () =>
        send(url as URL, { ...init, headers }, limits, { onExcess, onRead }),
      );
      return now === undefined ? answer : await readAnswer(answer, now, limits.maxEvents);
    } finally {
      open -= 1;
    }
  };
  const tellToolsChanged = tellSoon(target.onToolsChanged);
  const transport = new CallTransport(
    new URL(target.url),
    { requestInit: { headers: { ...target.headers }, redirect: 'error' }, fetch: request },
    (notice) => {
      if (notice.method === 'notifications/tools/list_changed') tellToolsChanged();
      onNotice?.(notice);
    },
  );
  const client = new Client(INFO, {
    versionNegotiation: { mode: 'auto' },
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: PASS_SCHEMAS,
  });
  client.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, describeAsked(target.name, [method]));
  };
  await client.connect(transport, { timeout: CONNECT_MS, ...(prior === undefined ? {} : { prior }) });
  timeoutMs = caller === LISTER ? LIST_MS : WHOLE_CALL_MS;
  const discover = client.getDiscoverResult();
  return {
    client,
    failures: 0,
    era: discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
    beginList: () => void (listBytes = MAX_LIST_BYTES),
    async end() {
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

/**
 * Sends a request with the token for the server; retries once with a new token if the server rejected the first token
 * and therefore did not execute the request.
 */
async function sendAuthorized(
  { authorize }: ToolServerTarget,
  headers: Headers,
  send: () => Promise<Response>,
): Promise<Response> {
  if (authorize === undefined) return send();
  const token = await authorize();
  headers.set('authorization', `Bearer ${token}`);
  const answer = await send();
  if (answer.status !== 401) return answer;
  const other = await authorize(token);
  if (other === token) return answer;
  await answer.body?.cancel();
  headers.set('authorization', `Bearer ${other}`);
  return send();
}

/**
 * Returns a function that passes on a notification after an interval; a server may send many, so those that arrive
 * during the interval are merged into one.
 */
function tellSoon(tell: (() => void) | undefined): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (tell === undefined) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      tell();
    }, TOLD_EVERY_MS).unref();
  };
}
