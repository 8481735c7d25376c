import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '@steward/crypto';
import { listen, type Component } from '@steward/process';
import { buildRawErrorAnswer, type RawErrorCode } from './error-answer.ts';

export interface HttpServerOptions {
  readonly app: RequestListener;
  readonly host: string;
  readonly port: number;
  /** Variable named when the port is taken. */
  readonly variable: string;
  /** How long a sender may take for its headers, and for the whole request. */
  readonly patience?: { readonly headersMs: number; readonly requestMs: number };
}

const PATIENCE = { headersMs: 15_000, requestMs: 60_000 };
/** Node looks every 30 s unless told: a sender with 15 s would have up to 45. */
const CHECK_INTERVAL_MS = 1000;
/** Longer than the idle time of common load balancers (60 s): the side that closes first must not be this one. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Without a packet; after ten probes, one a second, the connection ends and whatever waited on it. */
const PROBE_AFTER_MS = 30_000;
/** So long a server that stops waits for the rest of headers. */
const HALF_SENT_MS = 1000;

/** The listening server as a component: stops taking connections, lets running requests finish, then closes the idle ones. */
export function createHttpServer(options: HttpServerOptions): Component & { port(): number; readonly server: Server } {
  const { headersMs, requestMs } = options.patience ?? PATIENCE;
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // A client that is gone without a word (its machine lost power) is found while nothing is written to it.
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    },
    options.app,
  );
  const answering = new Map<ServerResponse, Socket>();
  /** Without a request: opened ahead, between two, or half way through the headers of one. Node counts the first and the last as busy, and once the server closes nothing ends them. */
  const quiet = new Set<Socket>();
  let isStopping = false;
  server.on('connection', (socket: Socket) => {
    quiet.add(socket);
    socket.on('close', () => quiet.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    quiet.delete(socket);
    answering.set(response, socket);
    if (isStopping) announceClose(response);
    response.on('close', () => {
      answering.delete(response);
      if (!socket.destroyed) quiet.add(socket);
      // What was busy when the server stopped is idle now, and would hold it for as long as connections are kept alive.
      if (isStopping) server.closeIdleConnections();
    });
  });
  // Answers what the HTTP parser refuses in the same shape as every other error.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A kept-alive connection may carry rubbish after good requests; only one in the middle of an answer cannot be answered.
    const isAnswering = [...answering.values()].includes(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return socket.destroy();
    socket.end(buildRawErrorAnswer(nameRawError(error.code), newId()));
  });
  return {
    name: 'http server',
    server,
    start: () => listen(server, { host: options.host, port: options.port, variable: options.variable }),
    stop: () =>
      new Promise<void>((resolve) => {
        isStopping = true;
        for (const response of answering.keys()) announceClose(response);
        server.close(() => resolve());
        server.closeIdleConnections();
        for (const socket of quiet) if (socket.bytesRead === 0) socket.destroy();
        setTimeout(() => quiet.forEach((socket) => socket.destroy()), HALF_SENT_MS).unref();
      }),
    port() {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : options.port;
    },
  };
}

/** Tells the client that it needs a new connection for its next request, and has Node end this one. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function nameRawError(code: string | undefined): RawErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
}
