import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Received request. */
export interface WebhookRequest {
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  /** Raw bytes of the body, which the signature covers. */
  readonly body: Buffer;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Maximum size of a body. Events have at most 64 KiB; the larger limit allows requests from other senders. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Starts a server that receives POSTs on any path; the handler returns the status of the response. */
export async function startListener(
  address: { readonly host: string; readonly port: number },
  handle: (request: WebhookRequest) => Promise<number>,
): Promise<Listener> {
  const server = createServer((request, response) => {
    answer(request, response, handle).catch(() => response.destroy());
  });
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: WebhookRequest) => Promise<number>,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    request.resume();
    return;
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    parts.push(part);
  }
  const { headers, url = '/' } = request;
  response.writeHead(await handle({ headers, path: url, body: Buffer.concat(parts) })).end();
}
