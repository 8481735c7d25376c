import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingRelay {
  readonly url: string;
  /** Number of connections so far. */
  readonly connections: () => number;
  /** Closes each further connection after this many bytes from the client. */
  cutAfter(bytes: number): void;
  close(): void;
}

/** Starts a proxy that simulates a server that fails in the middle of an upload. */
export async function startCuttingRelay(target: string): Promise<CuttingRelay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let limit = Number.POSITIVE_INFINITY;
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(Number(port), hostname);
    let passed = 0;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    upstream.pipe(client);
    client.on('data', (data: Buffer) => {
      passed += data.length;
      upstream.write(data);
      if (passed >= limit) client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    cutAfter(bytes) {
      limit = bytes;
    },
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
