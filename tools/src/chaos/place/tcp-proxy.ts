import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy between the apps and a server, which can delay data and close connections. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Sets the local ports to which new connections are forwarded in turn; a port that refuses connections is skipped.
   */
  leadTo(ports: readonly number[]): void;
  /** Delays each chunk by the time that the function returns, in order; undefined: delays nothing. */
  slowDown(drawDelayMs: (() => number) | undefined): void;
  /** If true, forwards nothing until it is called with false; the connections stay open. */
  hold(isHeld: boolean): void;
  /** Destroys all connections. */
  cut(): void;
  close(): Promise<void>;
}

interface Piece {
  readonly data: Buffer | undefined;
  readonly dueAt: number;
}

interface Network {
  drawDelayMs: (() => number) | undefined;
  isHeld: boolean;
  /** Functions that forward the chunks that are due, one for each direction of each connection. */
  readonly pumps: Set<() => void>;
}

/** Forwards the data that one socket receives to the other. */
function pass(network: Network, from: Socket, to: Socket): void {
  const waiting: Piece[] = [];
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    clearTimeout(timer);
    while (!network.isHeld && waiting[0] !== undefined && waiting[0].dueAt <= performance.now()) {
      const { data } = waiting.shift() as Piece;
      if (data === undefined) to.end();
      else if (to.writable) to.write(data);
    }
    if (!network.isHeld && waiting[0] !== undefined) timer = setTimeout(pump, waiting[0].dueAt - performance.now() + 1);
  };
  const add = (data: Buffer | undefined): void => {
    const { drawDelayMs } = network;
    last = Math.max(last, performance.now() + (drawDelayMs?.() ?? 0));
    waiting.push({ data, dueAt: drawDelayMs === undefined && waiting.length === 0 ? 0 : last });
    pump();
  };
  network.pumps.add(pump);
  from.on('data', add);
  from.once('end', () => add(undefined));
  from.once('close', () => {
    // Data that was sent before a regular end of the connection is still delivered.
    if (!from.readableEnded) to.destroy();
  });
  to.once('close', () => {
    clearTimeout(timer);
    network.pumps.delete(pump);
  });
}

export async function startTcpProxy(ports: readonly number[]): Promise<TcpProxy> {
  let targets = ports;
  let turn = 0;
  const network: Network = { drawDelayMs: undefined, isHeld: false, pumps: new Set() };
  const sockets = new Set<Socket>();

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  }

  function open(client: Socket, attempts: number): void {
    const port = targets[turn++ % targets.length];
    if (port === undefined || attempts === 0) return void client.destroy();
    const server = connect(port, '127.0.0.1');
    const refuse = (): void => open(client, attempts - 1);
    server.once('error', refuse);
    server.once('connect', () => {
      server.off('error', refuse);
      track(server);
      if (client.destroyed) return void server.destroy();
      pass(network, client, server);
      pass(network, server, client);
    });
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => open(track(client), targets.length));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo(next) {
      targets = next;
    },
    slowDown(draw) {
      network.drawDelayMs = draw;
    },
    hold(held) {
      network.isHeld = held;
      if (!held) network.pumps.forEach((pump) => pump());
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        cut();
      }),
  };
}
