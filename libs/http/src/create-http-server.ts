import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '@steward/crypto';
import { listen, type Component } from '@steward/process';
import { buildRawErrorAnswer, type RawErrorCode } from './error-answer.ts';
import type { HttpApp } from './express-messages.ts';

export interface HttpServerOptions {
  readonly app: HttpApp;
  readonly host: string;
  readonly port: number;
  /** Environment variable that the error names if the port is in use. */
  readonly variable: string;
  /** Time limits in milliseconds for the headers, and for the whole request. */
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number };
}

const TIMEOUTS = { headersMs: 15_000, requestMs: 60_000 };
/**
 * Interval of timeout checks in milliseconds. With Node's default of 30 s, a client that has 15 s to send the headers
 * could take up to 45 s.
 */
const CHECK_INTERVAL_MS = 1000;
/**
 * Idle timeout in milliseconds, longer than that of common load balancers (60 s), because the server must not close the
 * connection first.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Idle time in milliseconds before the first keep-alive probe; after ten unanswered probes, one per second, the
 * connection is closed and pending requests on it are aborted.
 */
const PROBE_AFTER_MS = 30_000;
/** Time in milliseconds for which a server that is stopping waits for the rest of incomplete headers. */
const HALF_SENT_MS = 1000;

/**
 * Creates the HTTP server as a component. When it is stopped, it accepts no more connections, closes idle connections,
 * and lets running requests finish.
 */
export function createHttpServer(options: HttpServerOptions): Component & { port(): number; readonly server: Server } {
  const { headersMs, requestMs } = options.timeouts ?? TIMEOUTS;
  const server = createServer({
    ...options.app.messages,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Keep-alive probes detect a client that has silently disappeared (for example because its machine lost power) while
    // no data is sent to it.
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
  });
  /**
   * The open connections, each with the last response in progress on it. Connections without a response were opened in
   * advance, are between two requests, or have received incomplete headers. Node treats connections that were opened in
   * advance, and those with incomplete headers, as busy, so it does not close them when the server is closed.
   */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isStopping = false;
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.on('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    connections.set(socket, response);
    if (isStopping) announceClose(response);
    response.on('close', () => {
      if (!socket.destroyed && connections.get(socket) === response) connections.set(socket, undefined);
      // A connection that was busy when the server was stopped is idle now, and would delay the shutdown until its
      // keep-alive timeout.
      if (isStopping) server.closeIdleConnections();
    });
  });
  // The app is the last listener, because it may send a response at once.
  server.on('request', options.app);
  // This handler sends the usual error body for requests that the HTTP parser rejects.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A response may already be in progress, since invalid bytes may follow valid requests on a keep-alive connection;
    // in that case, no error can be sent.
    const isAnswering = connections.get(socket) !== undefined;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return socket.destroy();
    socket.end(buildRawErrorAnswer(nameRawError(error.code), newId()));
  });

  function closeQuiet(isMeant: (socket: Socket) => boolean): void {
    for (const [socket, response] of connections) if (response === undefined && isMeant(socket)) socket.destroy();
  }

  return {
    name: 'http server',
    server,
    start: () => listen(server, { host: options.host, port: options.port, variable: options.variable }),
    stop: () =>
      new Promise<void>((resolve) => {
        isStopping = true;
        for (const response of connections.values()) if (response !== undefined) announceClose(response);
        server.close(() => resolve());
        server.closeIdleConnections();
        closeQuiet((socket) => socket.bytesRead === 0);
        setTimeout(() => closeQuiet(() => true), HALF_SENT_MS).unref();
      }),
    port() {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : options.port;
    },
  };
}

/** Tells the client to open a new connection for its next request, and makes Node close this one. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function nameRawError(code: string | undefined): RawErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
}
