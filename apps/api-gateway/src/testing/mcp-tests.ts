import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const INFO = { name: 'tests', version: '1' };

export const MCP_CLIENTS = ['first', 'second, 2025', 'second, 2026'] as const;
export type McpClientKind = (typeof MCP_CLIENTS)[number];

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface CallToolOptions {
  readonly signal?: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** Common operations of both versions of the official client. */
export interface McpClient {
  list(): Promise<{ name: string; description?: string; inputSchema: object; annotations?: object }[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallToolOptions): Promise<ToolAnswer>;
  /** Sends any other request of the protocol. */
  ask(method: string, params?: object, options?: CallToolOptions): Promise<Record<string, unknown>>;
  /** Calls `hear` with every notification, as it arrives. */
  onNotification(hear: (method: string, params: Record<string, unknown>) => void): void;
  /** Subscribes to changes, in the way that the client's protocol revision defines. */
  listen(uris: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects an official client of the protocol: version 1 of the SDK, or version 2 with the protocol revision of either
 * year.
 */
export async function connectMcp(
  url: string,
  token: string,
  { kind = 'second, 2026', headers = {} }: { kind?: McpClientKind; headers?: Record<string, string> } = {},
): Promise<McpClient> {
  const at = new URL('/mcp/v1', url);
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  const client = kind === 'first' ? new FirstClient(INFO) : createSecond(kind);
  const transport =
    kind === 'first' ? new FirstTransport(at, { requestInit }) : new StreamableHTTPClientTransport(at, { requestInit });
  await client.connect(transport as never);
  return {
    list: async () => (await client.listTools()).tools as never,
    async call(name, args = {}, { meta, ...options } = {}) {
      const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      const answer =
        client instanceof FirstClient
          ? await client.callTool(params, undefined, { ...options, resetTimeoutOnProgress: true })
          : await client.callTool(params, { ...options, resetTimeoutOnProgress: true } as never);
      return answer as ToolAnswer;
    },
    async ask(method, params = {}, { meta, ...options } = {}) {
      const asked = { method, params: { ...params, ...(meta === undefined ? {} : { _meta: meta }) } };
      const answer =
        client instanceof FirstClient
          ? await client.request(asked, ResultSchema, options as never)
          : await client.request(asked as never, options as never);
      return answer as Record<string, unknown>;
    },
    onNotification(hear) {
      client.fallbackNotificationHandler = ({ method, params = {} }) => {
        hear(method, params);
        return Promise.resolve();
      };
    },
    async listen(uris) {
      if (kind === 'second, 2026') {
        const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
        await (client as Client).listen({ ...filter, resourceSubscriptions: [...uris] });
      } else {
        for (const uri of uris) await client.subscribeResource({ uri } as never);
      }
    },
    close: () => client.close(),
  };
}

function createSecond(kind: McpClientKind): Client {
  const mode = kind === 'second, 2026' ? { pin: '2026-07-28' } : ('legacy' as const);
  return new Client(INFO, { versionNegotiation: { mode } } as never);
}

/** Connects clients that are closed after each test. */
export function useMcpClients(url: () => string) {
  const clients: McpClient[] = [];
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  return async (token: string, options: Parameters<typeof connectMcp>[2] = {}): Promise<McpClient> => {
    const client = await connectMcp(url(), token, options);
    clients.push(client);
    return client;
  };
}
