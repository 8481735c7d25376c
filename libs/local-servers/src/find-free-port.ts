import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Lowest port that is tried. The range is below those from which Linux, macOS and Windows assign ports, so that no
 * connection and no test server uses one of the ports that are tried.
 */
const FIRST_PORT = 15_000;
const PORTS = 17_000;
/** Number of ports that are tried: if all of these are unavailable, the other ports are probably unavailable, too. */
const ATTEMPTS = 1000;
/** Error codes for a port that another program uses, or that the system (Windows) excludes. */
const UNAVAILABLE = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Finds a port of this machine on which no program listens, and reserves it until this process ends: no other caller in
 * any process gets the port, even before the server is started on it and while the server restarts. The port is
 * reserved by binding the UDP port of the same number, which the system releases even if the process is killed.
 * @throws Error if no port is available
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + randomInt(PORTS);
    const reservation = await reserve(port);
    if (reservation === undefined) continue;
    if (await isFree(port)) return port;
    reservation.close();
  }
  throw new Error(`no port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} is available`);
}

function reserve(port: number): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (UNAVAILABLE.has(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    socket.bind(port, '127.0.0.1', () => resolve(socket));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (UNAVAILABLE.has(error.code ?? '')) resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
