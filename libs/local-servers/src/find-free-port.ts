import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * First port that is tried: the range is below those from which Linux, macOS and Windows assign ports, so that no
 * connection and no test server uses one of them.
 */
const FIRST_PORT = 15_000;
const PORTS = 17_000;

/**
 * Finds a port of this machine on which no program listens, and reserves it until this process ends: the function
 * returns it to no other caller and in no other process, although its server may start only later, or restart. The
 * reservation is the UDP port of the same number, which the system frees even if the process is killed.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

function reserve(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    socket.bind(port, '127.0.0.1', () => {
      socket.unref();
      resolve(true);
    });
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
