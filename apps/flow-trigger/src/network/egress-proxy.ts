import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { connect as secure } from 'node:tls';
import { normalizeHost, type Destination, type NetworkSecret } from '@steward/flows';
import type { Dial } from './dial.ts';

export interface EgressProxy {
  /** Handles a connection of a program that uses a proxy: CONNECT, or requests with an absolute URL. */
  readonly serve: (socket: Socket) => void;
  /** Handles a connection of a program that expects to communicate with the destination directly. */
  readonly connect: (socket: Duplex, destination: Destination) => void;
}

/** Hop-by-hop headers, which apply to a single connection; a proxy does not forward them. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Creates the proxy that forwards requests and connections of the run's programs. If a secret is configured for the
 * host, the secret is added to requests to port 80, and these requests are sent over HTTPS.
 */
export function createEgressProxy(options: {
  readonly dial: Dial;
  readonly secrets: readonly NetworkSecret[];
  /** Replaces the system's certificate authorities in tests. */
  readonly certificateAuthority?: string;
}): EgressProxy {
  const { dial, secrets } = options;
  const forward = (from: Destination) => (request: IncomingMessage, response: ServerResponse) => {
    const headers = secrets.filter(({ host }) => from.port === 80 && host === from.host);
    sendOn(options, { from, headers, request, response }).catch(() => response.destroy());
  };
  const serveDirect = new Map<string, ReturnType<typeof createServer>>();
  const connect = (socket: Duplex, destination: Destination): void => {
    if (destination.port === 80 && secrets.some(({ host }) => host === destination.host)) {
      const server = serveDirect.get(destination.host) ?? createServer(SERVER, forward(destination));
      serveDirect.set(destination.host, server);
      server.emit('connection', socket);
      return;
    }
    dial(destination).then(
      (target) => join(socket, target),
      () => socket.destroy(),
    );
  };
  const proxy = createServer(SERVER, (request, response) => {
    const target = readTarget(request.url);
    if (target === undefined) return answer(response, 400, 'This is a proxy: request a full http URL, or use CONNECT.');
    request.url = target.path;
    forward(target)(request, response);
  });
  proxy.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const destination = readAuthority(request.url ?? '');
    if (destination === undefined) return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    const begin = (): boolean => socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (destination.port === 80 && secrets.some(({ host }) => host === destination.host)) {
      begin();
      return connect(socket, destination);
    }
    dial(destination).then(
      (target) => {
        begin();
        join(socket, target);
      },
      (error: Error) => refuseTunnel(socket, describeRefusal(destination, error)),
    );
  });
  return { serve: (socket) => void proxy.emit('connection', socket), connect };
}

/**
 * Server options with a timeout only for headers, because the stream of a model may be silent for a long time; the
 * connections end with the run.
 */
const SERVER = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 60_000 };

function join(one: Duplex, other: Duplex): void {
  if (one.destroyed) return void other.destroy();
  const end = (): void => undefined;
  pipeline(one, other, end);
  pipeline(other, one, end);
}

interface Forwarded {
  readonly from: Destination;
  readonly headers: readonly NetworkSecret[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function sendOn(
  { dial, certificateAuthority: ca }: Parameters<typeof createEgressProxy>[0],
  { from, headers, request, response }: Forwarded,
): Promise<void> {
  const isSecured = headers.length > 0;
  // The response to a TRACE request contains the request, including the secret.
  if (isSecured && request.method === 'TRACE') return answer(response, 405, 'TRACE is not supported.');
  const destination = isSecured ? { host: from.host, port: 443 } : from;
  let socket: Duplex;
  try {
    const plain = await dial(destination);
    socket = isSecured
      ? secure({
          socket: plain,
          servername: from.host,
          ALPNProtocols: ['http/1.1'],
          ...(ca === undefined ? {} : { ca }),
        })
      : plain;
  } catch (error) {
    return answer(response, 403, describeRefusal(destination, error as Error));
  }
  const dropped = [...HOP_BY_HOP, ...(request.headers.connection ?? '').toLowerCase().split(/\s*,\s*/)];
  const sent = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !dropped.includes(name)));
  for (const { header, value } of headers) sent[header.toLowerCase()] = value;
  const shown = isIP(from.host) === 6 ? `[${from.host}]` : from.host;
  sent.host = from.port === 80 ? shown : `${shown}:${from.port}`;
  const upstream = httpRequest(
    {
      createConnection: () => socket as Socket,
      method: request.method,
      path: request.url,
      headers: { ...sent, connection: 'close' },
    },
    (answered) => {
      const back = Object.entries(answered.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      response.writeHead(answered.statusCode ?? 502, Object.fromEntries(back));
      pipeline(answered, response, () => undefined);
    },
  );
  upstream.on('error', (error) =>
    answer(response, 502, `The connection to ${destination.host} failed: ${error.message}.`),
  );
  response.on('close', () => upstream.destroy());
  pipeline(request, upstream, () => undefined);
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`);
}

function describeRefusal({ host, port }: Destination, error: Error): string {
  return `Steward did not connect to ${host}:${port}: ${error.message}.`;
}

function refuseTunnel(socket: Duplex, text: string): void {
  const body = `${text}\n`;
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function readTarget(url: string | undefined): (Destination & { path: string }) | undefined {
  if (url === undefined || !/^http:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname, port, pathname, search } = new URL(url);
  return { host: normalizeHost(hostname), port: port === '' ? 80 : Number(port), path: `${pathname}${search}` };
}

function readAuthority(authority: string): Destination | undefined {
  const { host, port } =
    /^(?<host>\[[0-9A-Fa-f:.]+\]|[^\s:/?#@[\]]+):(?<port>[0-9]{1,5})$/.exec(authority)?.groups ?? {};
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host: normalizeHost(host), port: Number(port) };
}
