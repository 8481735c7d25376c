import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { eventually } from '@steward/testing';
import { defineRoute } from './define-route.ts';
import { ABOUT, AS_DANA, useHttpApp } from './testing/http-app-tests.ts';

const LIMIT = 1_000_000;
const seen: { code: string; received: number }[] = [];

const app = useHttpApp({
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/stream',
      auth: 'bearer',
      bodyKind: 'stream',
      bodyLimitBytes: LIMIT,
      handler: async ({ readParts }) => {
        let received = 0;
        try {
          for await (const part of readParts()) received += part.length;
        } catch (error) {
          seen.push({ code: (error as { code: string }).code, received });
          throw error;
        }
        return { status: 200, body: { received } };
      },
    }),
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/first-part',
      auth: 'bearer',
      bodyKind: 'stream',
      bodyLimitBytes: LIMIT,
      handler: async ({ readParts }) => {
        for await (const part of readParts()) return { status: 200, body: { received: part.length } };
        return { status: 200, body: { received: 0 } };
      },
    }),
  ],
});

const post = (body: Buffer, headers: Record<string, string> = {}) =>
  app.call('/stream', { method: 'POST', body, headers: { ...AS_DANA, ...headers } });

describe('a streamed body', () => {
  it('arrives completely, plain or compressed', async () => {
    const bytes = Buffer.alloc(LIMIT, 'x');
    expect(await (await post(bytes)).json()).toEqual({ received: LIMIT });
    expect(await (await post(gzipSync(bytes), { 'content-encoding': 'gzip' })).json()).toEqual({ received: LIMIT });
  });

  it('ends if its decoded size exceeds the limit, and its sender is informed (LIM-13)', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMIT * 50));
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    expect(seen.pop()?.received).toBeLessThanOrEqual(LIMIT);
    expect((await post(Buffer.alloc(LIMIT + 1))).status).toBe(413);
    expect(seen).toEqual([]);
  });

  it('is refused with a wrong encoding', async () => {
    expect((await post(Buffer.from('not gzip'), { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post(Buffer.from('x'), { 'content-encoding': 'lzw' })).status).toBe(415);
    seen.length = 0;
  });

  it('ignores an error in the remaining data if its reader stops early', async () => {
    // An unhandled error would terminate the process, and with it the tests of this file.
    const packed = gzipSync(randomBytes(300_000));
    packed.fill(0, 20_000);
    for (let round = 0; round < 5; round += 1) {
      const answer = await app.call('/first-part', {
        method: 'POST',
        body: packed,
        headers: { ...AS_DANA, 'content-encoding': 'gzip' },
      });
      expect(answer.status).toBe(200);
    }
    expect((await post(Buffer.from('x'))).status).toBe(200);
  });

  it('also fails for its reader if its sender disconnects', async () => {
    const socket = connect(app.server.port(), '127.0.0.1');
    socket.write('POST /stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\ncontent-length: 1000\r\n\r\nhalf');
    await new Promise((resolve) => socket.once('connect', resolve));
    await new Promise<void>((resolve) => socket.end(resolve));
    socket.destroy();
    await eventually(() => Promise.resolve(seen.some(({ code }) => code === 'bad_request')));
  });
});
