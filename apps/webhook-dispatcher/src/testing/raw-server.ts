import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface RawServer {
  readonly port: number;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a TCP server whose HTTP is as invalid as the test requires. */
export async function startRawServer(serve: (socket: Socket, index: number) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket, connections);
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Invokes the callback when the first bytes of a request have arrived. */
export function afterRequest(socket: Socket, answer: () => void): void {
  socket.once('data', answer);
}
