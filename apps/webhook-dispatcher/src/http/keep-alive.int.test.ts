import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { eventually, startHttpReceiver } from '@steward/testing';
import {
  closeLater,
  closeOpened,
  openPoster,
  post,
  startRawServer,
  startServerProcess,
} from '../testing/open-poster.ts';
import { afterRequest } from '../testing/raw-server.ts';

afterEach(closeOpened);

describe('kept-alive connections', () => {
  it('are reused, and only the first attempt records the time to open the connection', async () => {
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    const poster = openPoster();
    const first = await post(poster, receiver.url);
    expect(first.connectMs).not.toBeNull();
    // The result is available before the connection is free again, so the next post may still open a new one.
    const reusing = await eventually(async () => {
      const next = await post(poster, receiver.url);
      return next.connectMs === null ? next : undefined;
    });
    expect(reusing).toMatchObject({ remoteAddress: '127.0.0.1', succeeded: true });
  });

  it('are told from new ones, even if the process has several posters', async () => {
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    for (const poster of [openPoster(), openPoster(), openPoster()])
      expect((await post(poster, receiver.url)).connectMs).not.toBeNull();
  });

  it('that broke before they carried a request are replaced', async () => {
    const folder = mkdtempSync(resolve(tmpdir(), 'steward-keep-alive-'));
    closeLater(() => rm(folder, { recursive: true }));
    const broken = resolve(folder, 'broken');
    writeFileSync(broken, '');
    // A separate process, which closes the connection while this process is busy and cannot notice.
    const source = `const server = require('node:net').createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('close', () => require('node:fs').appendFileSync(${JSON.stringify(broken)}, '.'));
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n');
        setTimeout(() => socket.resetAndDestroy(), 15);
      });
    }).listen(0, '127.0.0.1', () => console.log(server.address().port))`;
    const { port } = await startServerProcess(source);
    const poster = openPoster();
    for (let index = 0; index < 5; index += 1) {
      expect(await post(poster, `http://127.0.0.1:${port}/`)).toMatchObject({ succeeded: true });
      await new Promise((resolve) => setImmediate(resolve));
      // Blocks this process, so that it cannot notice the closed connection.
      const until = performance.now() + 20_000;
      while (readFileSync(broken).length <= index && performance.now() < until);
    }
  });

  it('that broke while they carried a request do not cause it to be sent again', async () => {
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
    // The result is available before the connection is free again.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await post(poster, `http://127.0.0.1:${server.port}/`)).toMatchObject({ errorClass: 'connection_lost' });
    expect(requests).toBe(2);
  });

  it('that the receiver closed do not fail the delivery', async () => {
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
