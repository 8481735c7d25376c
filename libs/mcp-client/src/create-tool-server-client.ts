import { Client, ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { createGuardedFetch, createProviderPools, type ProviderPoolsOptions } from '@steward/egress';
import { ANSWER_LOST, CallTransport } from './call-transport.ts';
import { createConnections, type Connection, type Connections } from './connections.ts';
import { describeFailure } from './rules/describe-failure.ts';
import type { ToolResult, ToolServerCall, ToolServerClient, ToolServerTarget } from './tool-server-client.ts';

export type ToolServerClientOptions = Omit<ProviderPoolsOptions, 'agent'>;

/** As servers see it. */
const INFO = { name: 'steward', version: '1' };

const CONNECT_MS = 15_000;
const LIST_MS = 30_000;
/** Without a sign of life. */
const CALL_MS = 300_000;
const WHOLE_CALL_MS = 600_000;
/** Of one answer, its events together. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const NOT_FOUND = 404;

/** One pool of connections per process; a conversation for each server and caller. */
export function createToolServerClient(options: ToolServerClientOptions): ToolServerClient {
  const pools = createProviderPools({
    ...options,
    agent: { headersTimeout: CALL_MS, bodyTimeout: CALL_MS, maxResponseSize: MAX_ANSWER_BYTES },
  });
  const send = createGuardedFetch(pools);
  const connections = createConnections((target, prior) => connect(target, prior, send));

  return {
    async listTools(target, signal) {
      const request = { signal, timeout: LIST_MS, cacheMode: 'bypass' } as const;
      return converse(
        connections,
        target,
        '',
        async ({ client }) => (await client.listTools(undefined, request)).tools,
      );
    },
    callTool: (target, call) => converse(connections, target, call.caller, ({ client }) => callTool(client, call)),
    async close() {
      await connections.close();
      await pools.close();
    },
  };
}

async function connect(
  target: ToolServerTarget,
  prior: Connection['era'] | undefined,
  send: typeof globalThis.fetch,
): Promise<Connection> {
  const transport = new CallTransport(new URL(target.url), {
    requestInit: { headers: { ...target.headers }, redirect: 'error' },
    // Nobody listens between two calls: a stream for each caller would be open for nothing.
    fetch: (url, init) =>
      init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : send(url, init),
  });
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } });
  await client.connect(transport, { timeout: CONNECT_MS, ...(prior === undefined ? {} : { prior }) });
  const discover = client.getDiscoverResult();
  return {
    client,
    era: discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
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
