import { Client, ProtocolError, SdkHttpError, type JsonSchemaValidator } from '@modelcontextprotocol/client';
import {
  AnswerLimitError,
  createGuardedFetch,
  createProviderPools,
  type GuardedFetch,
  type ProviderPoolsOptions,
} from '@steward/egress';
import { ANSWER_LOST, CallTransport, noteExcess } from './call-transport.ts';
import { createConnections, type Connection, type Connections, type Opening } from './connections.ts';
import { describeFailure } from './rules/describe-failure.ts';
import type { ToolResult, ToolServerCall, ToolServerClient, ToolServerTarget } from './tool-server-client.ts';

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
const NOT_FOUND = 404;
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
      return converse(connections, target, LISTER, async ({ client, beginList }) => {
        beginList();
        return (await client.listTools(undefined, { ...request, cacheMode: 'bypass' })).tools;
      });
    },
    callTool: (target, call) => converse(connections, target, call.caller, ({ client }) => callTool(client, call)),
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
  const onRead = (bytes: number): void => void (listBytes -= bytes);
  // Nobody listens between two calls: a stream for each caller would be open for nothing.
  const request: typeof globalThis.fetch = async (url, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    if (open >= MAX_REQUESTS) throw new AnswerLimitError(`the server asks more than ${MAX_REQUESTS} times at once`);
    open += 1;
    try {
      const maxBytes = Math.min(ANSWER_LIMITS.maxBytes, Math.max(0, listBytes));
      return await send(
        url as URL,
        init,
        {
          ...ANSWER_LIMITS,
          maxBytes,
          maxEvents: caller === LISTER ? MAX_LIST_EVENTS : ANSWER_LIMITS.maxEvents,
          timeoutMs,
        },
        { onExcess: noteExcess(), onRead },
      );
    } finally {
      open -= 1;
    }
  };
  const transport = new CallTransport(new URL(target.url), {
    requestInit: { headers: { ...target.headers }, redirect: 'error' },
    fetch: request,
  });
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
    era: discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
    beginList: () => void (listBytes = MAX_LIST_BYTES),
    async end() {
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

/** A conversation that the server has forgotten is begun anew, once: what was said in it was not heard. */
async function converse<T>(
  connections: Connections,
  target: ToolServerTarget,
  caller: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    const connection = await connections.open(target, caller);
    try {
      return await work(connection);
    } catch (error) {
      if (!(error instanceof SdkHttpError && error.status === NOT_FOUND)) throw error;
      connections.forget(target, caller);
      return await work(await connections.open(target, caller));
    }
  } catch (error) {
    throw describeFailure(error, target.name);
  }
}

async function callTool(client: Client, call: ToolServerCall): Promise<ToolResult> {
  const { name, arguments: args, signal, traceparent, onProgress } = call;
  try {
    return await client.callTool(
      { name, arguments: { ...args }, _meta: { traceparent } },
      {
        signal,
        timeout: CALL_MS,
        maxTotalTimeout: WHOLE_CALL_MS,
        resetTimeoutOnProgress: true,
        ...(onProgress === undefined ? {} : { onprogress: onProgress as (progress: object) => void }),
      },
    );
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code === ANSWER_LOST) throw error;
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
}
