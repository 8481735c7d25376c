import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { eventually } from '@steward/testing';
import { closeOpened, openPoster, post, startRawServer, startServerProcess } from '../testing/open-poster.ts';
import { afterRequest } from '../testing/raw-server.ts';

afterEach(closeOpened);

/** Returns memory that is still referenced: memory that waits for the garbage collector does not count. */
function measureKept(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}

describe('response bodies', () => {
  const sockets: Socket[] = [];
  const onConnected = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  beforeEach(() => {
    sockets.length = 0;
    subscribe('undici:client:connected', onConnected);
  });
  afterEach(() => unsubscribe('undici:client:connected', onConnected));

  const KIB = 1024;
  /** Maximum number of bytes read of one response: its head, 16 KiB, and the rest of the last chunk. */
  const MOST_BYTES = 16 * KIB + 2 * 64 * KIB;

  it.each([
    ['an endless body', 'Content-Type: text/plain'],
    ['a gzip bomb', 'Content-Encoding: gzip'],
  ])('are discarded after 16 KiB: %s (HOOK-26)', async (name, header) => {
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

  it.each([
    ['whole', 'a few words', 'a few words'],
    ['without a length', undefined, 'chunked'],
    ['to the first KiB', 'y'.repeat(5 * KIB), 'y'.repeat(KIB)],
    ['as nothing, if there is none', '', null],
  ])('are stored %s if they are requested (HOOK-44)', async (_how, body, kept) => {
    const server = await startRawServer((socket) =>
      afterRequest(socket, () => {
        const text = body ?? 'chunked';
        const head = body === undefined ? 'Connection: close' : `Content-Length: ${text.length}`;
        socket.write(`HTTP/1.1 422 No\r\n${head}\r\n\r\n${text}`);
        if (body === undefined) socket.end();
      }),
    );
    const request = { url: `http://127.0.0.1:${server.port}/`, headers: {}, body: Buffer.from('{}') };
    const wanted = await openPoster().post({ ...request, keepsAnswer: true });
    expect([wanted.responseStatus, wanted.answer?.toString() ?? null]).toEqual([422, kept]);
    expect((await openPoster().post(request)).answer).toBeNull();
  });

  it('that are compressed or never end delay the result by at most a second (HOOK-44)', async () => {
    const answers = [
      'Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
      'Content-Length: 100\r\n\r\nthe beginning',
    ];
    const kept: unknown[] = [];
    for (const answer of answers) {
      const server = await startRawServer((socket) =>
        afterRequest(socket, () => void socket.write(`HTTP/1.1 200 OK\r\n${answer}`)),
      );
      const request = { url: `http://127.0.0.1:${server.port}/`, headers: {}, body: Buffer.from('{}') };
      const result = await openPoster().post({ ...request, keepsAnswer: true });
      kept.push([result.succeeded, result.answer?.toString() ?? null]);
    }
    expect(kept).toEqual([
      [true, null],
      [true, 'the beginning'],
    ]);
  });

  it('use no additional memory: usage stays within 20 MB for 300 endless and compressed bodies', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * KIB * KIB));
    // A separate process, so that its memory is not measured here.
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
    const { port } = await startServerProcess(source);
    const poster = openPoster();
    const round = async (): Promise<void> => {
      for (const path of ['endless', 'bomb']) {
        expect(await post(poster, `http://127.0.0.1:${port}/${path}`)).toMatchObject({
          succeeded: true,
        });
      }
    };
    for (let index = 0; index < 50; index += 1) await round();
    const before = measureKept();
    for (let index = 0; index < 150; index += 1) await round();
    await eventually(() => sockets.every((socket) => socket.destroyed));
    const after = measureKept();
    const MB = 1_000_000;
    expect((after.arrayBuffers - before.arrayBuffers) / MB).toBeLessThan(20);
    expect((after.external - before.external) / MB).toBeLessThan(20);
  });
});
