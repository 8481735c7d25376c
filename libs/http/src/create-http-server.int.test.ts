import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@steward/testing';
import { createHttpServer } from './create-http-server.ts';

describe('a stalled sender (LIM-19)', () => {
  const server = createHttpServer({
    app: (_request, response) => void response.end('{}'),
    host: '127.0.0.1',
    port: 0,
    variable: 'PORT',
    timeouts: { headersMs: 200, requestMs: 400 },
  });
  beforeAll(() => server.start?.());
  afterAll(() => server.stop?.());

  it.each([
    ['in the middle of its headers', 'POST / HTTP/1.1\r\nHost: x\r\n', 200],
    ['in the middle of its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{', 400],
  ])(
    '%s gets a response and is closed at its time limit, not half a minute later (LIM-19)',
    async (_where, sent, timeoutMs) => {
      const socket = connect(server.port(), '127.0.0.1');
      const startedAt = performance.now();
      socket.write(sent);
      let answer = '';
      socket.on('data', (data) => (answer += data.toString()));
      // The connection may end normally or be aborted.
      socket.on('error', () => undefined);
      await once(socket, 'close');
      const waitedMs = performance.now() - startedAt;
      expect(waitedMs).toBeGreaterThan(timeoutMs - 50);
      expect(waitedMs).toBeLessThan(25_000);
      if (sent.endsWith('{')) return;
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"request_timeout"');
    },
  );
});

describe('a server that stops', () => {
  const connectToServer = async () => {
    const app: RequestListener = (_request, response) => void response.end('{}');
    const server = createHttpServer({ app, host: '127.0.0.1', port: 0, variable: 'PORT' });
    await server.start?.();
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const socket = connect(server.port(), '127.0.0.1');
    return { server, accepted, socket, closed: once(socket, 'close') };
  };

  it('closes unused connections, which would otherwise delay the stop', async () => {
    const { server, accepted, socket, closed } = await connectToServer();
    socket.resume();
    await accepted;
    await server.stop?.();
    await closed;
  });

  it.each([
    ['of the first request', false],
    ['of a further one', true],
  ])('closes connections whose sender stalls within the headers %s', async (_which, isKept) => {
    const { server, accepted, socket, closed } = await connectToServer();
    const [inside] = await accepted;
    if (isKept) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    socket.on('error', () => undefined).resume();
    const before = inside.bytesRead;
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    await eventually(() => inside.bytesRead > before);
    await server.stop?.();
    await closed;
  });

  it('announces the end of the connection in a response that is sent at once', async () => {
    const { server, accepted, socket, closed } = await connectToServer();
    const [inside] = await accepted;
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    await eventually(() => inside.bytesRead > 0);
    const stopped = server.stop?.();
    socket.write('\r\n');
    expect(await text(socket)).toMatch(/^Connection: close\r$/im);
    await Promise.all([stopped, closed]);
  });
});
