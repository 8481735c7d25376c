import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `ERROR: no server`, and the message that the connection is ready, outside of a transaction. */
const NO_SERVER = Buffer.concat([
  Buffer.from('E\0\0\0\x25SERROR\0VERROR\0C08006\0Mno server\0\0', 'latin1'),
  Buffer.from('Z\0\0\0\x05I', 'latin1'),
]);

/** Starts a pooler that rejects the first transaction of each connection, and retains the connection. */
export async function startRejectingPooler(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((socket) => {
    const server = connect(Number(port), hostname);
    let hasRejected = false;
    socket.on('data', (data) => {
      const isRejected = !hasRejected && data.includes('begin');
      hasRejected ||= isRejected;
      if (isRejected) socket.write(NO_SERVER);
      else server.write(data);
    });
    server.pipe(socket);
    for (const one of [socket, server]) sockets.add(one.on('error', () => undefined));
    socket.on('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy();
      pooler.close();
      await once(pooler, 'close');
    },
  };
}
