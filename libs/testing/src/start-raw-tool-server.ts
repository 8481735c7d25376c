import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as the original string, and parsed. */
export interface RawToolRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Path and query of the request. */
  readonly url: string;
}

export type RawToolAnswer = (request: RawToolRequest, response: ServerResponse) => void;

export interface RawToolServer {
  readonly url: string;
  /** Requests other than those of the handshake, oldest first. */
  readonly requests: RawToolRequest[];
  /** Number of handshakes so far. */
  begun: number;
  /** Makes the server forget its sessions from now on. */
  forget(): void;
  close(): Promise<void>;
}

interface RawToolServerOptions {
  readonly answer: RawToolAnswer;
  /** Response to a request of an unknown session. */
  readonly answerUnknown?: RawToolAnswer;
  readonly answerGet?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Capabilities that the server declares besides tools. */
  readonly capabilities?: object;
}

export const sendJson = (response: ServerResponse, text: string, status = 200, headers = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);

export const sendEvents = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);

/**
 * Starts a tool server that sends the test's responses byte for byte, in the 2025 revision of the protocol, with
 * sessions.
 */
export async function startRawToolServer({
  answer,
  answerUnknown,
  answerGet,
  capabilities = {},
}: RawToolServerOptions): Promise<RawToolServer> {
  const sessions = new Set<string>();
  const server = createServer((request, response) => {
    if (request.method === 'GET' && answerGet !== undefined) return answerGet(request, response);
    if (request.method === 'GET') return void response.writeHead(405).end();
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    void readText(request).then((text) => {
      const message = { ...(JSON.parse(text) as RawToolRequest), text, url: String(request.url) };
      const id = JSON.stringify(message.id);
      if (message.method === 'server/discover')
        return sendJson(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"none"}}`, 404);
      if (message.method === 'initialize') {
        raw.begun += 1;
        const session = randomUUID();
        sessions.add(session);
        const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: null };
        return sendJson(response, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }), 200, {
          'mcp-session-id': session,
        });
      }
      if (!sessions.has(String(request.headers['mcp-session-id']))) return answerUnknown?.(message, response);
      if (message.id === undefined) return void response.writeHead(202).end();
      raw.requests.push(message);
      answer(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const raw: RawToolServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests: [],
    begun: 0,
    forget: () => sessions.clear(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return raw;
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
