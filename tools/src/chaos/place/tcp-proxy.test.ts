import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@steward/testing';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

describe('the proxy of a chaos run', () => {
  let server: Server;
  let proxy: TcpProxy;
  const opened: Socket[] = [];

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined).pipe(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await startTcpProxy([portOf(server)]);
  });
  afterEach(async () => {
    opened.splice(0).forEach((socket) => socket.destroy());
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const portOf = (one: Server): number => (one.address() as AddressInfo).port;
  function open(): Socket {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    opened.push(socket);
    return socket;
  }

  it('passes everything on in order, also while the delays change', async () => {
    const delays = [20, 0, 5];
    proxy.slowDown(() => delays[Math.floor(Math.random() * delays.length)] ?? 0);
    const socket = open();
    const received = text(socket);
    for (let index = 0; index < 50; index += 1) {
      socket.write(`${index},`);
      if (index === 25) proxy.slowDown(undefined);
      await new Promise(setImmediate);
    }
    socket.end();
    expect(await received).toBe(Array.from({ length: 50 }, (_, index) => `${index},`).join(''));
  });

  it('passes nothing on while it is held', async () => {
    const socket = open();
    let received = '';
    socket.on('data', (data) => (received += String(data)));
    socket.write('a');
    await eventually(() => received === 'a');
    proxy.hold(true);
    socket.write('b');
    const other = open();
    await once(other, 'connect');
    expect(received).toBe('a');
    proxy.hold(false);
    await eventually(() => received === 'ab');
  });

  it('ends every connection when it is cut, and accepts new ones', async () => {
    const socket = open();
    socket.write('a');
    await once(socket, 'data');
    proxy.cut();
    await once(socket, 'close');
    const next = open();
    next.write('b');
    expect(String((await once(next, 'data'))[0])).toBe('b');
  });

  it('passes over a server that refuses connections', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const refusing = portOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    proxy.leadTo([refusing, portOf(server)]);
    for (let index = 0; index < 4; index += 1) {
      const socket = open();
      socket.write('a');
      expect(String((await once(socket, 'data'))[0])).toBe('a');
    }
  });
});
