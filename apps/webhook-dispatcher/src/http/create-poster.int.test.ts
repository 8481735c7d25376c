import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { startHttpReceiver } from '@steward/testing';
import {
  closeLater,
  closeOpened,
  drip,
  measureLateness,
  openPoster,
  post,
  SHORT_TIMEOUT_MS,
  startRawServer,
  startServerProcess,
  TIMEOUT_MS,
} from '../testing/open-poster.ts';
import { afterRequest } from '../testing/raw-server.ts';
import type { PosterOptions } from './create-poster.ts';

afterEach(closeOpened);

describe('sending a request to a receiver', () => {
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
  ])('with status %i counts as success: %s (HOOK-19)', async (status, succeeded) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)),
    );
    const result = await post(openPoster(), `http://127.0.0.1:${server.port}/`);
    expect([result.succeeded, result.responseStatus]).toEqual([succeeded, status]);
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('accepts the status after %s', async (interim) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => socket.end(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`)),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ responseStatus: 204 });
    expect(server.connections()).toBe(1);
  });

  it('accepts the final status after several 100 (Continue) responses, in one chunk or separately', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 100 Continue\r\nX-Note: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
        setTimeout(() => socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'), 50);
      }),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ responseStatus: 201 });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['accepts and never responds', () => undefined],
    [
      'sends its header lines slowly',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X-Drip: 1\r\n');
      },
    ],
    ['never reads the request', (socket) => void socket.pause()],
    [
      'reads the request byte by byte',
      (socket) => {
        socket.pause();
        const timer = setInterval(() => void socket.read(1), 50);
        socket.once('close', () => clearInterval(timer));
      },
    ],
  ])('times out for a receiver that %s (HOOK-19)', async (_name, serve) => {
    const server = await startRawServer(serve);
    const body = Buffer.alloc(8 * 1024 * 1024);
    const poster = openPoster({ timeoutMs: SHORT_TIMEOUT_MS });
    const { result, lateMs } = await measureLateness(SHORT_TIMEOUT_MS, () =>
      poster.post({ url: `http://127.0.0.1:${server.port}/`, headers: {}, body }),
    );
    expect(result).toMatchObject({ succeeded: false, errorClass: 'timeout', error: 'no response within 1.5 s' });
    expect(lateMs).toBeLessThan(SHORT_TIMEOUT_MS);
  });

  it('times out if a receiver never accepts the connection', async () => {
    // A stopped process that listens: when its queue is full, the system drops new connections.
    const listener = `const server = require('node:net').createServer(() => {});
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`;
    const listening = await startServerProcess(listener);
    listening.stop();
    const { port } = listening;
    const fillers: Socket[] = [];
    closeLater(() => Promise.resolve(fillers.forEach((filler) => filler.destroy())));
    for (let taken = true; taken;) {
      const filler = connect(port, '127.0.0.1').on('error', () => undefined);
      fillers.push(filler);
      await delay(100);
      // Events that the system received during the delay are processed in this tick, however late the timer fired.
      await nextTurn();
      taken = !filler.connecting;
    }
    const { result, lateMs } = await measureLateness(SHORT_TIMEOUT_MS, () =>
      post(openPoster({ timeoutMs: SHORT_TIMEOUT_MS }), `http://127.0.0.1:${port}/`),
    );
    expect(result).toMatchObject({
      succeeded: false,
      errorClass: 'connect_timeout',
      error: 'no connection within 1.5 s',
    });
    expect(lateMs).toBeLessThan(SHORT_TIMEOUT_MS);
  });

  it('times out within the same limit if a name resolves too slowly', async () => {
    const resolve = (): void => undefined;
    const { result, lateMs } = await measureLateness(SHORT_TIMEOUT_MS, () =>
      post(openPoster({ resolve, timeoutMs: SHORT_TIMEOUT_MS }), 'http://slow.example.test/'),
    );
    expect(result).toMatchObject({ errorClass: 'connect_timeout', responseStatus: null });
    expect(lateMs).toBeLessThan(SHORT_TIMEOUT_MS);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['garbage', 'protocol_error', (socket) => socket.end('this is not HTTP\r\n\r\n')],
    [
      'headers of 20 kB',
      'protocol_error',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`),
    ],
    ['a closed connection', 'connection_lost', (socket) => void socket.end()],
    ['a reset', 'connection_lost', (socket) => void socket.resetAndDestroy()],
    ['a truncated status line', 'connection_lost', (socket) => socket.end('HTTP/1.1 20')],
    [
      'two content lengths',
      'protocol_error',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
  ])('reports %s instead of a response as %s', async (_name, errorClass, answer) => {
    const server = await startRawServer((socket) => afterRequest(socket, () => answer(socket)));
    const result = await post(openPoster(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ succeeded: false, responseStatus: null, errorClass });
  });

  it('reports a connection that was reset right after it was accepted', async () => {
    const server = await startRawServer((socket) => void socket.resetAndDestroy());
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({
      succeeded: false,
      errorClass: 'connection_lost',
    });
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'])(
    'reports a DNS response like %s as dns_error',
    async (code) => {
      const resolve: NonNullable<PosterOptions['resolve']> = (_name, _options, callback) =>
        callback(Object.assign(new Error(code), { code }), []);
      expect(await post(openPoster({ resolve }), 'http://somewhere.example.test/')).toMatchObject({
        errorClass: 'dns_error',
        remoteAddress: null,
      });
    },
  );

  it('reports the error status of a receiver that does not read the body to its end', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      }),
    );
    const result = await openPoster().post({
      url: `http://127.0.0.1:${server.port}/`,
      headers: {},
      body: Buffer.alloc(8 * 1024 * 1024),
    });
    expect(result).toMatchObject({
      succeeded: false,
      responseStatus: 413,
      error: 'HTTP 413',
      errorClass: 'http_status',
    });
  });

  it('connects directly to the receiver, whatever proxy the environment defines', async () => {
    const [proxy, receiver] = [await startHttpReceiver(), await startHttpReceiver()];
    closeLater(() => proxy.close());
    closeLater(() => receiver.close());
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of names) process.env[name] = proxy.url;
    try {
      expect(await post(openPoster(), receiver.url)).toMatchObject({ succeeded: true });
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
    expect([proxy.requests.length, receiver.requests.length]).toEqual([0, 1]);
  });

  it('reports a refused connection', async () => {
    // A port that is never assigned: a port that was closed may already belong to another process.
    expect(await post(openPoster(), 'http://127.0.0.1:1/')).toMatchObject({
      errorClass: 'connection_refused',
    });
  });

  it('reports an unknown host', async () => {
    const result = await post(openPoster(), 'http://does-not-exist.invalid/');
    expect(result).toMatchObject({ errorClass: 'dns_error' });
  });

  it('counts a 2xx as success even if the connection breaks after the headers', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\npart');
        setTimeout(() => socket.resetAndDestroy(), 20);
      }),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ succeeded: true });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['an invalid chunk', (socket) => socket.write('zz\r\n')],
    ['no data', () => undefined],
    ['data that never ends', (socket) => drip(socket, '1\r\nx\r\n')],
  ])('counts a 2xx followed by %s as success at its status line', async (_name, follow) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        follow(socket);
      }),
    );
    const poster = openPoster();
    const first = await post(poster, `http://127.0.0.1:${server.port}/`);
    expect(first).toMatchObject({ succeeded: true, responseStatus: 200 });
    expect(first.durationMs).toBeLessThan(TIMEOUT_MS / 2);
    // The connection does not delay the next request.
    const second = await post(poster, `http://127.0.0.1:${server.port}/`);
    expect([second.succeeded, second.durationMs < TIMEOUT_MS / 2]).toEqual([true, true]);
  });
});
