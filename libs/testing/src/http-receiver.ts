import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came: signatures are over these. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** Answers one request after it was recorded. */
export type Respond = (request: ReceivedRequest, response: ServerResponse, index: number) => void | Promise<void>;

export interface HttpReceiver {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Resolves with the first `count` requests once they came. */
  waitForRequests(count: number): Promise<readonly ReceivedRequest[]>;
  /** From now on answers like this. */
  respondWith(respond: Respond): void;
  close(): Promise<void>;
}

/** A real HTTP server that plays somebody else's webhook receiver. Answers 200 unless told otherwise. */
export async function startHttpReceiver(respond?: Respond): Promise<HttpReceiver> {
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
  // Whoever keeps a connection closes it first: one that is closed here in the moment of its next request loses that.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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
