import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createTargetGuard } from '@steward/slice-webhooks';
import { eventually, startHttpReceiver } from '@steward/testing';
import { createPoster, type Poster, type PosterOptions } from './create-poster.ts';

const TIMEOUT_MS = 600;
const posters: Poster[] = [];
const servers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(posters.splice(0).map((poster) => poster.close()));
  await Promise.all(servers.splice(0).map((close) => close()));
});

function openPoster(options: Partial<PosterOptions> = {}): Poster {
  const poster = createPoster({ timeoutMs: TIMEOUT_MS, guard: undefined, ...options });
  posters.push(poster);
  return poster;
}

/** A TCP server that speaks HTTP as badly as the test wants. */
async function startRawServer(serve: (socket: Socket) => void): Promise<{ port: number; connections: () => number }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Calls back once the request's header block has come. */
function afterRequest(socket: Socket, answer: () => void): void {
  socket.once('data', answer);
}

const post = (poster: Poster, url: string) => poster.post({ url, headers: { 'x-test': '1' }, body: Buffer.from('{}') });

describe('posting', () => {
  it.each([
    [200, true],
    [201, true],
    [202, true],
    [204, true],
    [226, true],
    [299, true],
    [300, false],
    [301, false],
    [304, false],
    [400, false],
    [410, false],
    [429, false],
    [499, false],
    [500, false],
    [599, false],
    [999, false],
  ])('status %i: success is %s', async (status, succeeded) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)),
    );
    const result = await post(openPoster(), `http://127.0.0.1:${server.port}/`);
    expect([result.succeeded, result.responseStatus]).toEqual([succeeded, status]);
  });

  it('takes the final status after 100-continue', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ responseStatus: 204 });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['accepts and never answers', () => undefined],
    [
      'drips one header line after the other',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-Drip: 1\r\n'), 50);
        socket.once('close', () => clearInterval(timer));
      },
    ],
    ['reads nothing of the request', (socket) => void socket.pause()],
  ])('gives up on a receiver that %s when the time is over', async (_name, serve) => {
    const server = await startRawServer(serve);
    const body = Buffer.alloc(8 * 1024 * 1024);
    const startedAt = performance.now();
    const result = await openPoster().post({ url: `http://127.0.0.1:${server.port}/`, headers: {}, body });
    expect(result).toMatchObject({ succeeded: false, errorClass: 'timeout', error: 'no answer within 0.6 s' });
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 300);
  });

  it('gives up on a name that takes too long to resolve, within the same time', async () => {
    const resolve = (): void => undefined;
    const result = await post(openPoster({ resolve }), 'http://slow.example.test/');
    expect(result).toMatchObject({ errorClass: 'connect_timeout', responseStatus: null });
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS + 300);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['garbage', 'protocol_error', (socket) => socket.end('this is not HTTP\r\n\r\n')],
    [
      'headers of 20 kB',
      'protocol_error',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`),
    ],
    ['an end of the connection', 'connection_lost', (socket) => void socket.end()],
    ['a reset', 'connection_lost', (socket) => void socket.resetAndDestroy()],
  ])('names %s instead of an answer %s', async (_name, errorClass, answer) => {
    const server = await startRawServer((socket) => afterRequest(socket, () => answer(socket)));
    const result = await post(openPoster(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ succeeded: false, responseStatus: null, errorClass });
  });

  it('names a refused connection', async () => {
    const server = await startRawServer(() => undefined);
    await Promise.all(servers.splice(0).map((close) => close()));
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({
      errorClass: 'connection_refused',
    });
  });

  it('names a host that does not exist', async () => {
    const result = await post(openPoster({ timeoutMs: 5000 }), 'http://does-not-exist.invalid/');
    expect(result).toMatchObject({ errorClass: 'dns_error' });
  });

  it('counts a 2xx whose connection breaks after the headers as success', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\npart');
        setTimeout(() => socket.resetAndDestroy(), 20);
      }),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ succeeded: true });
  });

  it('does not decompress: a gzip bomb costs nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const receiver = await startHttpReceiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    servers.push(() => receiver.close());
    const before = process.memoryUsage().rss;
    expect(await post(openPoster(), receiver.url)).toMatchObject({ succeeded: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024);
  });

  it('uses one kept-alive connection again and tells only the first attempt what opening it took', async () => {
    const receiver = await startHttpReceiver();
    servers.push(() => receiver.close());
    const poster = openPoster();
    const first = await post(poster, receiver.url);
    expect(first.connectMs).not.toBeNull();
    // The result is there before the connection is free again, so the very next post may still open one of its own.
    const reusing = await eventually(async () => {
      const next = await post(poster, receiver.url);
      return next.connectMs === null ? next : undefined;
    });
    expect(reusing).toMatchObject({ remoteAddress: '127.0.0.1', succeeded: true });
  });

  it('gets through after the receiver closed the kept-alive connection', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        socket.end();
      }),
    );
    const poster = openPoster();
    for (let index = 0; index < 5; index += 1) {
      expect(await post(poster, `http://127.0.0.1:${server.port}/`)).toMatchObject({ succeeded: true });
    }
  });
});

describe('guard at the connection', () => {
  const guard = createTargetGuard();

  it.each(['127.0.0.1', '127.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])(
    'opens no connection to the literal %s',
    async (host) => {
      const server = await startRawServer(() => undefined);
      const result = await post(openPoster({ guard }), `http://${host}:${server.port}/`);
      expect(result).toMatchObject({
        succeeded: false,
        errorClass: 'target_blocked',
        error: 'the target address is loopback',
      });
      expect(server.connections()).toBe(0);
    },
  );

  it('opens no connection when a name changed its address to a private one (rebinding)', async () => {
    const server = await startRawServer(() => undefined);
    const resolve: NonNullable<PosterOptions['resolve']> = (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const result = await post(openPoster({ guard, resolve }), `http://rebound.example.test:${server.port}/`);
    expect(result).toMatchObject({ errorClass: 'target_blocked' });
    expect(server.connections()).toBe(0);
  });

  it('dials only the allowed one of several addresses', async () => {
    const receiver = await startHttpReceiver();
    servers.push(() => receiver.close());
    const resolve: NonNullable<PosterOptions['resolve']> = (_name, _options, callback) =>
      callback(null, [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const allowing = createTargetGuard(['127.0.0.0/8']);
    const result = await post(openPoster({ guard: allowing, resolve }), `http://two.example.test:${receiver.port}/`);
    expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
  });

  it('works with names when it is on (the resolver is asked for all addresses)', async () => {
    const receiver = await startHttpReceiver();
    servers.push(() => receiver.close());
    const allowing = createTargetGuard(['127.0.0.0/8', '::1/128']);
    const result = await post(openPoster({ guard: allowing }), `http://localhost:${receiver.port}/`);
    expect(result).toMatchObject({ succeeded: true });
  });
});
