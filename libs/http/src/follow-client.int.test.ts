import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { Type } from '@sinclair/typebox';
import { createLogger } from '@steward/process';
import { defineRoute } from './define-route.ts';
import { ABOUT, useHttpApp } from './testing/http-app-tests.ts';

const calls = new EventEmitter();
let changed = 0;
const stream = new PassThrough();
const lines = createInterface(stream);

const app = useHttpApp({
  logger: createLogger({ service: 'test', level: 'info', pretty: false, stream }),
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/slow',
      auth: 'none',
      handler: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ status: 200 }));
          calls.emit('slow', signal);
        }),
    }),
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/things',
      auth: 'bearer',
      body: Type.Object({ name: Type.String() }),
      bodyExample: { name: 'x' },
      handler: () => {
        changed += 1;
        return { status: 200 };
      },
    }),
  ],
});

describe('a client that disconnects', () => {
  it('is reported to the handler', async () => {
    const controller = new AbortController();
    const called = once(calls, 'slow') as Promise<[AbortSignal]>;
    const request = app.call('/slow', { signal: controller.signal }).catch(() => undefined);
    const [signal] = await called;
    controller.abort();
    await request;
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ message: 'client disconnected' });
  });

  it.each([
    ['whose length is known', 'Content-Length: 50', '{"name":"abc"}'],
    ['in chunks', 'Transfer-Encoding: chunked', 'e\r\n{"name":"abc"}\r\n'],
  ])('never runs the handler if it disconnects while sending a body %s', async (_what, framing, part) => {
    const requestId = `left-${framing.length}`;
    const served = new Promise<string>((resolve) =>
      lines.on('line', (line) => {
        if (line.includes(requestId)) resolve(line);
      }),
    );
    const head = [
      'POST /things HTTP/1.1',
      'Host: x',
      'Authorization: Bearer good',
      'Content-Type: application/json',
      `X-Request-Id: ${requestId}`,
      framing,
    ].join('\r\n');
    const socket = connect(app.server.port(), '127.0.0.1');
    socket.write(`${head}\r\n\r\n${part}`, () => socket.destroySoon());
    socket.resume();
    expect(await served).toMatch(/"outcome":"(refused|client_gone)"/);
    expect(changed).toBe(0);
  });
});
