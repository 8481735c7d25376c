import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';

/** What a tool of the server does. */
export type RunTool = (
  args: Record<string, unknown>,
  context: { readonly signal: AbortSignal; readonly report: (progress: number) => Promise<void> },
) => Promise<CallToolResult> | CallToolResult;

export interface TestTool {
  readonly definition: Tool;
  readonly run?: RunTool;
}

export interface TestToolServer {
  readonly origin: string;
  readonly url: string;
  /** Of every request so far. */
  readonly headers: readonly IncomingHttpHeaders[];
  offer(...tools: readonly TestTool[]): void;
  /** Answers with this status from now on; undefined: as it should. */
  fail(status: number | undefined): void;
  close(): Promise<void>;
}

export const tool = (name: string, more: Partial<Tool> = {}, run?: RunTool): TestTool => ({
  definition: { name, inputSchema: { type: 'object' }, ...more },
  ...(run === undefined ? {} : { run }),
});

/** A tool server of the official SDK, on a socket, which speaks both revisions. */
export async function startToolServer(): Promise<TestToolServer> {
  let offered: readonly TestTool[] = [];
  let failure: number | undefined;
  const headers: IncomingHttpHeaders[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: offered.map(({ definition }) => definition) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const found = offered.find(({ definition }) => definition.name === params.name);
      const progressToken = params._meta?.progressToken;
      const report = async (progress: number): Promise<void> => {
        if (progressToken === undefined) return;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
      };
      const answer = await found?.run?.(params.arguments ?? {}, { signal: mcpReq.signal, report });
      return answer ?? { content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }] };
    });
    return server;
  });
  const serve = toNodeHandler(handler);
  const http = createServer((request, response) => {
    headers.push(request.headers);
    if (failure === undefined) return void serve(request as Parameters<typeof serve>[0], response);
    response.writeHead(failure).end('upstream words');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    headers,
    offer: (...tools) => void (offered = tools),
    fail: (status) => void (failure = status),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await handler.close();
    },
  };
}
