import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Raw bytes of the body, which signatures cover. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** Responds to one request after it was recorded. */
export type Respond = (request: ReceivedRequest, response: ServerResponse, index: number) => void | Promise<void>;

export interface HttpReceiver {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Returns the first `count` requests as soon as they have arrived. */
  waitForRequests(count: number): Promise<readonly ReceivedRequest[]>;
  /** Sets the response to later requests. */
  respondWith(respond: Respond): void;
  close(): Promise<void>;
}

/** Starts a real HTTP server as a webhook receiver, by default on a free port. It responds with 200 by default. */
export async function startHttpReceiver(respond?: Respond, wantedPort = 0): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  let current: Respond = respond ?? ((_request, response) => void response.writeHead(200).end());
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body,
          receivedAt: new Date(),
        };
        requests.push(received);
        return current(received, response, requests.length - 1);
      },
      () => response.destroy(),
    );
  });
  // The client has to close a keep-alive connection first: if the server closed it at the moment of the next request,
  // that request would be lost.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    waitForRequests: (count) => eventually(() => (requests.length >= count ? requests.slice(0, count) : undefined)),
    respondWith(next) {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
