// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- its connections are in memory and lead nowhere else
import { createServer, request } from 'node:http';
import { duplexPair } from 'node:stream';
import type { createHttpApp } from '@steward/http';

export interface InMemoryRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** Sends one request and returns the status of its response. */
export type SendInMemory = (sent: InMemoryRequest) => Promise<number>;

/**
 * Creates a server without a port, and returns the function that sends requests to it. Each request has its own
 * connection in memory, which nothing else can reach.
 */
export function serveInMemory(app: ReturnType<typeof createHttpApp>, token: string): SendInMemory {
  const server = createServer({ ...app.messages }, app);
  return ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const [client, peer] = duplexPair();
      server.emit('connection', peer);
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        host: 'warm-up.invalid',
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      // The request is sent without an HTTP agent, since HTTP agents expect sockets.
      const sent = request({ method, path, headers, createConnection: () => client as never }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      sent.on('error', reject);
      sent.end(text);
    });
}
