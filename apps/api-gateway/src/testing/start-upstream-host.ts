import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Server as FirstServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';

export interface UpstreamCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly report: (progress: number, message: string) => Promise<void>;
}

export interface UpstreamTool extends Tool {
  readonly run: (call: UpstreamCall) => Promise<CallToolResult> | CallToolResult;
}

export interface UpstreamServer {
  readonly url: string;
  /** Tools of the server, which may be changed at any time. */
  readonly tools: UpstreamTool[];
  /** Headers of every request, oldest first. */
  readonly received: IncomingHttpHeaders[];
  /** Session of each call, if the server has sessions. */
  readonly sessions: string[];
  /** Notifies all listeners. */
  tell(method: string, params?: Readonly<Record<string, unknown>>): void;
  /** Responds to every request with this status from now on; undefined: normally. */
  fail(status: number | undefined): void;
  /** Closes all connections abruptly from now on, including open ones. */
  goDown(): void;
}

/** Features of a server other than tools, in the protocol revisions before 2026 and since then. */
export interface UpstreamOffers {
  /** Returns the response to a request, depending on its method. */
  readonly answer: (request: {
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
    /** Sends a log message that belongs to the request. */
    readonly log: (level: string, data: unknown) => Promise<void>;
  }) => object | Promise<object>;
  readonly capabilities: object;
}

export function tool(name: string, run: UpstreamTool['run'], more: Partial<Tool> = {}): UpstreamTool {
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, ...more, run };
}

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

/** Hosts tool servers at one address, so that a gateway can be configured before they exist. */
export async function startUpstreamHost() {
  const handlers = new Map<string, Handle>();
  const server = createServer((request, response) => {
    const handle = handlers.get(request.url ?? '');
    if (handle === undefined) request.socket.destroy();
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** Adds a tool server like those of third parties, built with version 1 or 2 of the SDK; version 1 has sessions. */
    add(
      tools: UpstreamTool[],
      {
        keepsSessions = false,
        offers = NOTHING,
      }: { readonly keepsSessions?: boolean; readonly offers?: UpstreamOffers } = {},
    ): UpstreamServer {
      const path = `/${randomUUID()}/mcp`;
      const received: IncomingHttpHeaders[] = [];
      const sessions: string[] = [];
      const list = () => ({ tools: tools.map(({ run: _run, ...definition }) => definition) });
      const find = (name: string) => {
        const found = tools.find((each) => each.name === name);
        if (found === undefined) throw new Error(`no tool ${name}`);
        return found;
      };
      const { handle, tell } = keepsSessions
        ? createSessions(list, find, { sessions, offers })
        : createStateless(list, find, offers);
      const open = new Set<ServerResponse>();
      const goDown = (): void => {
        handlers.delete(path);
        for (const response of open) response.socket?.destroy();
      };
      let failure: number | undefined;
      handlers.set(path, async (request, response) => {
        received.push(request.headers);
        if (failure !== undefined) return void response.writeHead(failure).end('upstream words');
        open.add(response);
        response.once('close', () => open.delete(response));
        return handle(request, response);
      });
      const fail = (status: number | undefined): void => void (failure = status);
      return { url: `${origin}${path}`, tools, received, sessions, tell, fail, goDown };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOTHING: UpstreamOffers = {
  capabilities: {},
  answer: ({ method }) => {
    throw new Error(`no method ${method}`);
  },
};

type Find = (name: string) => UpstreamTool;
type List = () => { tools: Tool[] };
interface Serving {
  readonly handle: Handle;
  readonly tell: UpstreamServer['tell'];
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createStateless(list: List, find: Find, offers: UpstreamOffers): Serving {
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'upstream', version: '1' },
      { capabilities: { tools: {}, ...(offers.capabilities as { resources?: object }) } },
    );
    server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) =>
      (await offers.answer({ method, params, log: (level, data) => mcpReq.log(level as 'info', data) })) as never;
    server.setRequestHandler('tools/list', list);
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = params._meta?.progressToken;
      return find(params.name).run({
        arguments: params.arguments ?? {},
        meta: params._meta ?? {},
        signal: mcpReq.signal,
        report: async (progress, message) => {
          if (progressToken === undefined) return;
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
        },
      });
    });
    return server;
  });
  const { notify } = handler;
  return {
    handle: toNodeHandler(handler) as unknown as Handle,
    tell(method, { uri } = {}) {
      if (method === 'notifications/tools/list_changed') notify.toolsChanged();
      if (method === 'notifications/prompts/list_changed') notify.promptsChanged();
      if (method === 'notifications/resources/list_changed') notify.resourcesChanged();
      if (method === 'notifications/resources/updated') notify.resourceUpdated(String(uri));
    },
  };
}

function createSessions(
  list: List,
  find: Find,
  { sessions, offers }: { readonly sessions: string[]; readonly offers: UpstreamOffers },
): Serving {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const opened: FirstServer[] = [];
  return {
    async handle(request, response) {
      const known = transports.get(String(request.headers['mcp-session-id']));
      const transport = known ?? (await open());
      await transport.handleRequest(request, response);
    },
    tell(method, params) {
      for (const server of opened) void server.notification({ method, params } as never).catch(() => undefined);
    },
  };

  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    const server = new FirstServer(
      { name: 'upstream', version: '1' },
      { capabilities: { tools: {}, ...(offers.capabilities as { resources?: object }) } },
    );
    server.fallbackRequestHandler = async ({ method, params = {} }, { sendNotification }) => {
      const log = (level: string, data: unknown) =>
        sendNotification({ method: 'notifications/message', params: { level: level as 'info', data } });
      return (await offers.answer({ method, params, log })) as never;
    };
    server.setRequestHandler(ListToolsRequestSchema, list as never);
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sessionId }) => {
      sessions.push(String(sessionId));
      const result = await find(params.name).run({
        arguments: params.arguments ?? {},
        meta: params._meta ?? {},
        signal,
        report: () => Promise.resolve(),
      });
      return result as never;
    });
    await server.connect(transport as never);
    opened.push(server);
    return transport;
  }
}
