import { Client, ProtocolError, type JsonSchemaValidator } from '@modelcontextprotocol/client';
import {
  AnswerLimitError,
  createGuardedFetch,
  createProviderPools,
  type GuardedFetch,
  type ProviderPoolsOptions,
} from '@steward/egress';
import { ANSWER_LOST, CallTransport } from './call-transport.ts';
import { createConnections, type Connection, type Opening } from './connections.ts';
import { converse } from './converse.ts';
import { currentExchange, keepAnswers, type Kept } from './exchange.ts';
import { readAnswer } from './read-answer.ts';
import { describeFailure } from './rules/describe-failure.ts';
import { fitResult } from './rules/fit-result.ts';
import type { ListedTools, ToolResult, ToolServerCall, ToolServerClient } from './tool-server-client.ts';

export type ToolServerClientOptions = Omit<ProviderPoolsOptions, 'agent'>;

/** As servers see it. */
const INFO = { name: 'steward', version: '1' };

const CONNECT_MS = 15_000;
const LIST_MS = 30_000;
/** Its pages together. */
const WHOLE_LIST_MS = 60_000;
/** Of all pages of a list together. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Without a sign of life. */
const CALL_MS = 300_000;
const WHOLE_CALL_MS = 600_000;
/** Of one answer, its events together (LIM-80). */
const ANSWER_LIMITS = { maxBytes: 4 * 1024 * 1024, maxValues: 50_000, maxDepth: 200, maxEvents: 5_000 };
/** Of an answer to anything but a call, which has progress to report for minutes: each costs its reader some 7 KiB. */
const MAX_LIST_EVENTS = 500;
/** At once in one conversation, our answers to what the server asks among them: it may ask with every event. */
const MAX_REQUESTS = 300;
/** Between two words of a server that its tools have changed. */
const TOLD_EVERY_MS = 1000;
/** The caller in whose conversation tools are listed and never called. */
const LISTER = '';
/** Schemas of servers are passed on and never compiled here. */
const PASS_SCHEMAS = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (data) => ({ valid: true, data: data as T, errorMessage: undefined }),
};

/** One pool of connections per process; a conversation for each server and caller. */
export function createToolServerClient(options: ToolServerClientOptions): ToolServerClient {
  const pools = createProviderPools({
    ...options,
    // The limits of an answer say which of them was passed; this one is for what they would miss.
    agent: { headersTimeout: CALL_MS, bodyTimeout: CALL_MS, maxResponseSize: 2 * ANSWER_LIMITS.maxBytes },
  });
  const send = createGuardedFetch(pools);
  const connections = createConnections((opening) => connect(opening, send));

  return {
    async listTools(target, signal) {
      const request = { signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_LIST_MS)]), timeout: LIST_MS };
      try {
        return await converse(connections, { target, caller: LISTER, signal }, (connection) =>
          listTools(connection, request),
        );
      } catch (error) {
        throw describeFailure(error, target.name);
      }
    },
    async callTool(target, call) {
      let kept: Kept | undefined;
      try {
        return await keepAnswers((answers) => {
          kept = answers;
          return converse(connections, { target, caller: call.caller, signal: call.signal }, ({ client }) =>
            callTool(client, call, answers),
          );
        });
      } catch (error) {
        if (error instanceof ProtocolError && error.code !== ANSWER_LOST)
          return { isError: true, content: [{ type: 'text', text: error.message }] };
        throw describeFailure(error, target.name, kept?.isCalled);
      }
    },
    async close() {
      await connections.close();
      await pools.close();
    },
  };
}

async function connect({ target, caller, prior }: Opening, send: GuardedFetch): Promise<Connection> {
  let timeoutMs = CONNECT_MS;
  let open = 0;
  /** Left of a list that is being read. */
  let listBytes = Infinity;
  const request: typeof globalThis.fetch = async (url, init) => {
    const now = currentExchange();
    const headers = new Headers(init?.headers);
    if (init?.method === 'GET') {
      // The SDK knows it of the last stream alone.
      if (now?.lastEventId !== undefined) headers.set('last-event-id', now.lastEventId);
      // Nobody listens between two calls: a stream for each caller would be open for nothing.
      if (!headers.has('last-event-id')) return new Response(null, { status: 405 });
    }
    if (open >= MAX_REQUESTS) throw new AnswerLimitError(`the server asks more than ${MAX_REQUESTS} times at once`);
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
      const answer = await send(url as URL, { ...init, headers }, limits, { onExcess, onRead });
      return now === undefined ? answer : await readAnswer(answer, now, limits.maxEvents);
    } finally {
      open -= 1;
    }
  };
  const transport = new CallTransport(
    new URL(target.url),
    { requestInit: { headers: { ...target.headers }, redirect: 'error' }, fetch: request },
    tellSoon(target.onToolsChanged),
  );
  const client = new Client(INFO, {
    versionNegotiation: { mode: 'auto' },
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: PASS_SCHEMAS,
  });
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

/** A server may say it with every event: once is enough for all that it says meanwhile. */
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

/** What the SDK gives on are stand-ins: it knows which tools no client may have, and nothing else of them. */
async function listTools(
  { client, beginList }: Connection,
  request: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ListedTools> {
  beginList();
  return keepAnswers(async ({ pages }) => {
    const { tools: known } = await client.listTools(undefined, { ...request, cacheMode: 'bypass' });
    const names = new Set(known.map(({ name }) => name));
    const tools = pages.flatMap((page) => page.tools);
    const dropped = tools.filter(({ name }) => !names.has(name));
    return {
      tools: tools.filter(({ name }) => names.has(name)),
      faults: [
        ...new Set(pages.flatMap((page) => page.faults)),
        ...dropped.map(({ name }) => `the tool ${name} is left out: what it says of headers is not of the protocol`),
      ],
    };
  });
}

async function callTool(client: Client, call: ToolServerCall, kept: Kept): Promise<ToolResult> {
  const { name, arguments: args, signal, traceparent, onProgress } = call;
  delete kept.result;
  await client.callTool(
    { name, arguments: { ...args }, _meta: { traceparent } },
    {
      signal,
      timeout: CALL_MS,
      maxTotalTimeout: WHOLE_CALL_MS,
      resetTimeoutOnProgress: true,
      ...(onProgress === undefined ? {} : { onprogress: onProgress as (progress: object) => void }),
    },
  );
  return fitResult(kept.result);
}
