import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createTargetGuard } from '@steward/slice-webhooks';
import { eventually, startHttpReceiver } from '@steward/testing';
import { afterRequest, startRawServer as openRawServer, type RawServer } from '../testing/raw-server.ts';
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

async function startRawServer(serve: (socket: Socket, index: number) => void): Promise<RawServer> {
  const server = await openRawServer(serve);
  servers.push(() => server.close());
  return server;
}

/** Runs the source as a process of its own; resolves with the port it prints. */
async function startProcess(source: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(() => {
    child.kill('SIGKILL');
    return once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return Number(line.toString());
}

/** Sends the piece again and again until the connection is closed. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.once('close', () => clearInterval(timer));
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

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('takes the final status after %s', async (interim) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => socket.end(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`)),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ responseStatus: 204 });
    expect(server.connections()).toBe(1);
  });

  it('takes the final status after several 100-continues, in one piece with it or apart', async () => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 100 Continue\r\nX-Note: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
        setTimeout(() => socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'), 50);
      }),
    );
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ responseStatus: 201 });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['accepts and never answers', () => undefined],
    [
      'drips one header line after the other',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X-Drip: 1\r\n');
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

  it('gives up on a receiver that never takes the connection', async () => {
    // A stopped process that listens: once its queue is full, the system drops what knocks.
    const listener = `const server = require('node:net').createServer(() => {});
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`;
    const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(() => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(line.toString());
    child.kill('SIGSTOP');
    const fillers: Socket[] = [];
    servers.push(() => Promise.resolve(fillers.forEach((filler) => filler.destroy())));
    for (let taken = true; taken;) {
      const filler = connect(port, '127.0.0.1').on('error', () => undefined);
      fillers.push(filler);
      taken = await Promise.race([
        once(filler, 'connect').then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, 300, false)),
      ]);
    }
    const result = await post(openPoster(), `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({
      succeeded: false,
      errorClass: 'connect_timeout',
      error: 'no connection within 0.6 s',
    });
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS + 300);
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
    ['a status line cut off', 'connection_lost', (socket) => socket.end('HTTP/1.1 20')],
    [
      'two lengths',
      'protocol_error',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
  ])('names %s instead of an answer %s', async (_name, errorClass, answer) => {
    const server = await startRawServer((socket) => afterRequest(socket, () => answer(socket)));
    const result = await post(openPoster(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ succeeded: false, responseStatus: null, errorClass });
  });

  it('names a reset right after the connection was taken', async () => {
    const server = await startRawServer((socket) => void socket.resetAndDestroy());
    expect(await post(openPoster(), `http://127.0.0.1:${server.port}/`)).toMatchObject({
      succeeded: false,
      errorClass: 'connection_lost',
    });
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'])(
    'calls an answer of DNS like %s dns_error',
    async (code) => {
      const resolve: NonNullable<PosterOptions['resolve']> = (_name, _options, callback) =>
        callback(Object.assign(new Error(code), { code }), []);
      expect(await post(openPoster({ resolve }), 'http://somewhere.example.test/')).toMatchObject({
        errorClass: 'dns_error',
        remoteAddress: null,
      });
    },
  );

  it('sees the refusal of a receiver that does not take the body to its end', async () => {
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

  it('goes directly to the receiver whatever proxy the environment names', async () => {
    const [proxy, receiver] = [await startHttpReceiver(), await startHttpReceiver()];
    servers.push(
      () => proxy.close(),
      () => receiver.close(),
    );
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of names) process.env[name] = proxy.url;
    try {
      expect(await post(openPoster(), receiver.url)).toMatchObject({ succeeded: true });
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
    expect([proxy.requests.length, receiver.requests.length]).toEqual([0, 1]);
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

  it.each<[string, (socket: Socket) => void]>([
    ['an invalid chunk', (socket) => socket.write('zz\r\n')],
    ['nothing more', () => undefined],
    ['a drip that never ends', (socket) => drip(socket, '1\r\nx\r\n')],
  ])('counts a 2xx followed by %s as success at its status line', async (_name, follow) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        follow(socket);
      }),
    );
    const poster = openPoster({ timeoutMs: 5000 });
    const first = await post(poster, `http://127.0.0.1:${server.port}/`);
    expect(first).toMatchObject({ succeeded: true, responseStatus: 200 });
    expect(first.durationMs).toBeLessThan(500);
    // The next one is not held up by it.
    const second = await post(poster, `http://127.0.0.1:${server.port}/`);
    expect([second.succeeded, second.durationMs < 500]).toEqual([true, true]);
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

  it('sends on another connection what the broken kept-alive one never carried', async () => {
    // A process of its own: it breaks the connection while this one is busy and cannot notice.
    const source = `const server = require('node:net').createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n');
        setTimeout(() => socket.resetAndDestroy(), 15);
      });
    }).listen(0, '127.0.0.1', () => console.log(server.address().port))`;
    const port = await startProcess(source);
    const poster = openPoster({ timeoutMs: 5000 });
    for (let index = 0; index < 5; index += 1) {
      expect(await post(poster, `http://127.0.0.1:${port}/`)).toMatchObject({ succeeded: true });
      await new Promise((resolve) => setImmediate(resolve));
      const until = performance.now() + 60;
      while (performance.now() < until);
    }
  });

  it('sends once what a kept-alive connection carried before it broke', async () => {
    let requests = 0;
    const server = await startRawServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.resetAndDestroy();
      }),
    );
    const poster = openPoster();
    expect(await post(poster, `http://127.0.0.1:${server.port}/`)).toMatchObject({ succeeded: true });
    // The result is there before the connection is free again.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await post(poster, `http://127.0.0.1:${server.port}/`)).toMatchObject({ errorClass: 'connection_lost' });
    expect(requests).toBe(2);
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

describe('bodies of answers', () => {
  const sockets: Socket[] = [];
  const onConnected = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  beforeEach(() => {
    sockets.length = 0;
    subscribe('undici:client:connected', onConnected);
  });
  afterEach(() => unsubscribe('undici:client:connected', onConnected));

  const KIB = 1024;
  /** What is read of one answer: its head, 16 KiB, and the rest of the piece in which they ended. */
  const MOST_BYTES = 16 * KIB + 2 * 64 * KIB;

  it.each([
    ['an endless body', 'Content-Type: text/plain'],
    ['a gzip bomb', 'Content-Encoding: gzip'],
  ])('are dropped after 16 KiB: %s', async (name, header) => {
    const bomb = gzipSync(Buffer.alloc(100 * KIB * KIB));
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`);
        const chunk = name === 'a gzip bomb' ? bomb : Buffer.alloc(64 * KIB, 'x');
        const push = (): void => {
          while (!socket.destroyed && socket.write(chunk));
          if (!socket.destroyed) socket.once('drain', push);
        };
        push();
      }),
    );
    const poster = openPoster();
    for (let index = 0; index < 20; index += 1) {
      expect(await post(poster, `http://127.0.0.1:${server.port}/`)).toMatchObject({ succeeded: true });
    }
    await eventually(() => sockets.every((socket) => socket.destroyed));
    expect(sockets).toHaveLength(20);
    for (const socket of sockets) expect(socket.bytesRead).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('leave nothing in memory: 300 endless ones and bombs, flat within 20 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * KIB * KIB));
    // Its own process, so that what it has to hold is not measured here.
    const source = `require('node:http').createServer((request, response) => {
      request.resume();
      if (request.url === '/bomb') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('${bomb.toString('base64')}', 'base64'));
        return;
      }
      response.writeHead(200);
      const push = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65536)));
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
    const port = await startProcess(source);
    const poster = openPoster({ timeoutMs: 5000 });
    const round = async (): Promise<void> => {
      for (const path of ['endless', 'bomb']) {
        expect(await post(poster, `http://127.0.0.1:${port}/${path}`)).toMatchObject({
          succeeded: true,
        });
      }
    };
    for (let index = 0; index < 50; index += 1) await round();
    const before = process.memoryUsage();
    for (let index = 0; index < 150; index += 1) await round();
    await eventually(() => sockets.every((socket) => socket.destroyed));
    const after = process.memoryUsage();
    const MB = 1_000_000;
    expect((after.arrayBuffers - before.arrayBuffers) / MB).toBeLessThan(20);
    expect((after.external - before.external) / MB).toBeLessThan(20);
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
