import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

export interface DemoToolServer extends ListeningServer {
  /** Names of the tools that were executed, in order. */
  readonly ran: readonly string[];
}

export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

const TOOLS = ['read_table', 'drop_table', 'deploy'];

/**
 * Starts a tool server as a team might typically have, with the official SDK.
 * @throws if the port is in use
 */
export async function startToolServer(port: number): Promise<DemoToolServer> {
  const ran: string[] = [];
  const listening = await listenMcp(port, () => {
    const server = new Server({ name: 'demo', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: TOOLS.map((name) => ({ name, description: `Would ${name}.`, inputSchema: { type: 'object' } })),
    }));
    server.setRequestHandler('tools/call', ({ params: { name } }) => {
      ran.push(name);
      return { content: [{ type: 'text', text: `${name}: done` }] };
    });
    return server;
  });
  return { ...listening, ran };
}

/**
 * Starts an MCP server on a local socket, in both protocol revisions.
 * @throws if the port is in use
 */
export async function listenMcp(port: number, create: () => Server): Promise<ListeningServer> {
  const handler = createMcpHandler(create);
  const serve = toNodeHandler(handler);
  const http = createServer((request, response) => {
    void serve(request as Parameters<typeof serve>[0], response);
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await handler.close();
    },
  };
}
