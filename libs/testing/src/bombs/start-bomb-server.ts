import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { BOMB_ANSWERS, type BombKind } from './bomb-answers.ts';

/** The request to a tool server that is answered with the bomb; earlier responses are normal. */
export type BombStage = 'initialize' | 'tools/list' | 'tools/call';

export interface BombServer {
  readonly origin: string;
  /** Returns a URL below which every request is answered with the bomb. */
  urlOf(kind: BombKind): string;
  /** Returns the URL of a tool server that offers the tool `boom`, and sends the bomb in response to `stage`. */
  toolServerUrl(kind: BombKind, stage: BombStage): string;
  /** Number of requests so far, and a function that returns the number of open connections. */
  readonly state: { requests: number; readonly open: () => number };
  close(): Promise<void>;
}

interface RpcRequest {
  readonly id?: unknown;
  readonly method?: string;
}

const TOOL = { name: 'boom', description: 'Answers.', inputSchema: { type: 'object' } };
const PROTOCOL = '2025-06-18';
const GOOD: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: PROTOCOL, capabilities: { tools: {} }, serverInfo: { name: 'bombs', version: '1' } },
  'tools/list': { tools: [TOOL] },
  'tools/call': { content: [{ type: 'text', text: 'fine' }] },
};

/** Starts a malicious server on loopback, for every client that reads responses of external servers. */
export async function startBombServer(): Promise<BombServer> {
  const sockets = new Set<object>();
  const state = { requests: 0, open: () => sockets.size };
  const server = createServer((request, response) => {
    state.requests += 1;
    response.on('error', () => undefined);
    void answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    urlOf: (kind) => `${origin}/any/${encodeURIComponent(kind)}`,
    toolServerUrl: (kind, stage) => `${origin}/${encodeURIComponent(stage)}/${encodeURIComponent(kind)}`,
    state,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [stage = '', kind = ''] = (request.url ?? '').slice(1).split('/').map(decodeURIComponent);
  const bomb = BOMB_ANSWERS[kind as BombKind];
  const body = (request.method === 'POST' ? await json(request).catch(() => ({})) : {}) as RpcRequest | null;
  const { id, method = '' } = body ?? {};
  if (stage === 'any' || stage === method) return bomb(response, id);
  const result = GOOD[method];
  if (result === undefined) return void response.writeHead(id === undefined ? 202 : 404).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
